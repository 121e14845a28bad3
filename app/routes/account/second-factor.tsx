import { data, href, redirect } from 'react-router'
import { beginSetUp, confirmSetUp, readSecondFactor, renewRecoveryCodes, turnOff } from '#app/features/auth/two-factor/two-factor.server.ts'
import { SecondFactorPage } from '#app/features/auth/two-factor/two-factor-page.tsx'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
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
  const form = await readForm(request)
  const intent = textOf(form, 'intent')
  if (intent === 'begin') {
    const begun = await beginSetUp(asker, owner, form)
    return begun.ok ? data({ setUp: begun }) : refuse(intent, begun)
  }
  if (intent === 'confirm') {
    const done = await confirmSetUp(asker, owner, form)
    return done.ok ? data({ codes: done.codes }) : data({ intent, error: done.error, setUp: done.setUp }, { status: done.status })
  }
  if (intent === 'codes') {
    const done = await renewRecoveryCodes(asker, owner, form)
    return done.ok ? data({ codes: done.codes }) : refuse(intent, done)
  }
  if (intent !== 'off') return data({ intent, error: '' }, { status: 400 })
  const done = await turnOff(asker, owner, form)
  return done.ok ? data({}) : refuse(intent, done)
}

const refuse = (intent: string, { error, status }: { error: string; status: number }) => data({ intent, error }, { status })

export const meta: Route.MetaFunction = ({ matches }) => [pageTitle(matches, 'Two-step login'), { name: 'robots', content: 'noindex' }]

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  return <SecondFactorPage state={loaderData} answer={useKeptAnswer(actionData)} />
}
