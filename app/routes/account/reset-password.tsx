import { data } from 'react-router'
import type { ResetState } from '#app/features/auth/email-verification/email-verification.ts'
import { ResetPage } from '#app/features/auth/verification-pages.tsx'
import {
  handleReset,
  showReset,
} from '#app/features/auth/email-verification/verification.server.ts'
import { resetPageTexts } from '#app/features/auth/email-verification/texts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { pageTitle } from '../page-title.ts'
import type { Route } from './+types/reset-password'

export const loader = ({ url, context }: Route.LoaderArgs): Promise<ResetState> =>
  showReset(context.get(appContext), url.searchParams.get('code'), context.get(userContext))

export async function action({ request, context }: Route.ActionArgs) {
  const auth = { app: context.get(appContext), info: context.get(requestInfoContext), request }
  const { state, status } = await handleReset(auth, await parseForm(request))
  return data(state, { status })
}

export const meta: Route.MetaFunction = ({ matches }) => [
  pageTitle(matches, resetPageTexts.title),
  { name: 'robots', content: 'noindex' },
]

export default function ResetPassword({ loaderData, actionData, matches }: Route.ComponentProps) {
  const loginPage = matches[0].loaderData.user?.role === 'guest' ? '/link-guest/' : '/login/'
  return (
    <ResetPage
      state={usePersistentActionData(actionData) ?? loaderData}
      loginPage={loginPage}
    />
  )
}
