import { data, href, redirect } from 'react-router'
import { readSecondFactor, receiveSecondFactor } from '#app/features/auth/two-factor/two-factor.server.ts'
import { SecondFactorPage } from '#app/features/auth/two-factor/two-factor-page.tsx'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { pageTitle } from '../page-title.ts'
import type { Route } from './+types/second-factor'

/** Only the owner has a second factor (037); the gate around has let in lasting accounts alone. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    if (context.get(userContext)?.role !== 'admin') throw redirect(`${href('/account')}/`)
  },
]

export const loader = ({ context }: Route.LoaderArgs) => readSecondFactor(context.get(shopContext))

export async function action({ request, context }: Route.ActionArgs) {
  const asker = { shop: context.get(shopContext), page: context.get(pageContext), request }
  const owner = context.get(userContext)!
  const { status = 200, ...answer } = await receiveSecondFactor(asker, owner, await readForm(request))
  return data(answer, { status })
}

export const meta: Route.MetaFunction = ({ matches }) => [pageTitle(matches, 'Two-step login'), { name: 'robots', content: 'noindex' }]

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  return <SecondFactorPage state={loaderData} answer={useKeptAnswer(actionData)} />
}
