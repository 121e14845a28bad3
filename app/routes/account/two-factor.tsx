import { data, href, redirect } from 'react-router'
import { readTwoFactor, handleTwoFactor } from '#app/features/auth/two-factor/two-factor.server.ts'
import { TwoFactorPage } from '#app/features/auth/two-factor/two-factor-page.tsx'
import { twoFactorTexts } from '#app/features/auth/two-factor/texts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { pageTitle } from '#app/routes/page-title.ts'
import type { Route } from './+types/two-factor'

/** Only the owner has two-factor login. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    if (context.get(userContext)?.role !== 'admin') throw redirect(`${href('/account')}/`)
  },
]

export const loader = ({ context }: Route.LoaderArgs) => readTwoFactor(context.get(appContext))

export async function action({ request, context }: Route.ActionArgs) {
  const auth = { app: context.get(appContext), info: context.get(requestInfoContext), request }
  const owner = context.get(userContext)!
  const { status = 200, ...answer } = await handleTwoFactor(auth, owner, await parseForm(request))
  return data(answer, { status })
}

export const meta: Route.MetaFunction = ({ matches }) => [pageTitle(matches, twoFactorTexts.title), { name: 'robots', content: 'noindex' }]

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  return <TwoFactorPage state={loaderData} answer={usePersistentActionData(actionData)} />
}
