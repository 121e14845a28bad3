import { data } from 'react-router'
import type { ResetState } from '#app/features/auth/email-verification/email-verification.ts'
import { ResetPage } from '#app/features/auth/code-pages.tsx'
import { receiveReset, showReset } from '#app/features/auth/email-verification/verification.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { pageTitle } from '../page-title.ts'
import type { Route } from './+types/reset-password'

/** LOGIN-21, LOGIN-22, S-012, S-013 */
export const loader = ({ url, context }: Route.LoaderArgs): Promise<ResetState> =>
  showReset(context.get(shopContext), url.searchParams.get('code'), context.get(userContext))

export async function action({ request, context }: Route.ActionArgs) {
  const asker = { shop: context.get(shopContext), page: context.get(pageContext), request }
  const { state, status } = await receiveReset(asker, await readForm(request))
  return data(state, { status })
}

export const meta: Route.MetaFunction = ({ matches }) => [pageTitle(matches, 'Reset Password'), { name: 'robots', content: 'noindex' }]

export default function ResetPassword({ loaderData, actionData, matches }: Route.ComponentProps) {
  const login = matches[0].loaderData.user?.role === 'guest' ? '/link-guest/' : '/login/'
  return <ResetPage state={useKeptAnswer(actionData) ?? loaderData} login={login} />
}
