import { data, href, redirect } from 'react-router'
import { readTwoFactor, handleTwoFactor } from '#app/features/auth/two-factor/two-factor.server.ts'
import { TwoFactorPage } from '#app/features/auth/two-factor/two-factor-page.tsx'
import { readPasswordHash } from '#app/features/auth/reauthenticate.server.ts'
import { twoFactorTexts } from '#app/features/auth/two-factor/texts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { pageTitle } from '#app/routes/page-title.ts'
import type { Route } from './+types/two-factor'

/** An account without a password is protected by its provider, so it has no two-step login. [S-232] */
export async function loader({ context }: Route.LoaderArgs) {
  const [app, user] = [context.get(appContext), context.get(userContext)!]
  if ((await readPasswordHash(app.db, user.id)) === undefined)
    throw redirect(`${href('/account')}/`)
  return { state: await readTwoFactor(app, user.id), isOwner: user.role === 'admin' }
}

export async function action({ request, context }: Route.ActionArgs) {
  const auth = { app: context.get(appContext), info: context.get(requestInfoContext), request }
  const { status = 200, ...answer } = await handleTwoFactor(
    auth,
    context.get(userContext)!,
    await parseForm(request),
  )
  return data(answer, { status })
}

export const meta: Route.MetaFunction = ({ matches }) => [
  pageTitle(matches, twoFactorTexts.title),
  { name: 'robots', content: 'noindex' },
]

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <TwoFactorPage
      {...loaderData}
      answer={usePersistentActionData(actionData)}
    />
  )
}
