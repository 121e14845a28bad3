import { href, redirect } from 'react-router'
import { linkGuestResults } from '#app/features/auth/guests/texts.ts'
import { loginResults } from '#app/features/auth/texts.ts'
import { itemPageBefore, pageAfterLogin } from '#app/features/auth/redirects.ts'
import { convertWithOAuth } from '#app/features/auth/guests/link-guest.server.ts'
import { handleOAuthCallback } from '#app/features/auth/oauth/oauth.server.ts'
import { respondToFailure, closingPage } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { setFlash } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/oauth-callback'

/** The provider redirects the browser to this URL after the sign-in. The shop then redirects only to its own pages. [LOGIN-13, S-207] */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const [app, info, user] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext),
  ]
  const provider = app.providers.list.find(({ id }) => id === params.provider)
  if (!provider) return redirect(href('/'))
  const finished = await handleOAuthCallback({ app, info, request }, provider.id, user)
  const { attempt } = finished
  if (finished.done === 'failed')
    return respondToFailure(info, provider.id, attempt, finished.reason)
  if (finished.done === 'stays' && user) setFlash(info, [loginResults.alreadyLoggedIn(user)])
  if (finished.done === 'in' && itemPageBefore(attempt.search))
    setFlash(info, [loginResults.backAtItem])
  let to =
    attempt.purpose === 'prove'
      ? '/account/'
      : pageAfterLogin(attempt.search, user?.role === 'admin')
  if (finished.done === 'met') {
    const linked = await convertWithOAuth({ app, info, request }, user, finished.identity)
    if (linked.done === 'refused')
      return respondToFailure(info, provider.id, attempt, linked.reason)
    if (linked.done === 'ask') to = '/link-guest/'
    else setFlash(info, [linkGuestResults.accountCreated])
  }
  return attempt.popup ? closingPage(info, attempt.popup, { ok: true, to }) : redirect(to, 303)
}
