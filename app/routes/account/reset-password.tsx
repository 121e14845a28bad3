import { ResetPage } from '#auth/verification-pages.tsx'
import { handleReset, showReset } from '#auth/email-verification/verification.server.ts'
import { resetPageTexts } from '#auth/email-verification/texts.ts'
import { appContext, userContext } from '#services/context.ts'
import { readForm, respond } from '#routes/action-response.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import { unlistedTitle } from '#routes/page-title.ts'
import type { Route } from './+types/reset-password'

export const loader = ({ url, context }: Route.LoaderArgs) =>
  showReset(context.get(appContext), url.searchParams.get('code'), context.get(userContext))

export async function action(args: Route.ActionArgs) {
  const { auth, form } = await readForm(args)
  return respond(await handleReset(auth, form))
}

export const meta: Route.MetaFunction = unlistedTitle(resetPageTexts.title)

export default function ResetPassword({ loaderData, actionData, matches }: Route.ComponentProps) {
  const loginPage = matches[0].loaderData.user?.role === 'guest' ? '/link-guest/' : '/login/'
  return (
    <ResetPage
      state={usePersistentActionData(actionData) ?? loaderData}
      loginPage={loginPage}
    />
  )
}
