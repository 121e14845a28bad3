import { href, redirect } from 'react-router'
import { linkGuestResults } from '#auth/guests/texts.ts'
import { loginResults } from '#auth/texts.ts'
import { itemPageBefore, pageAfterLogin } from '#auth/redirects.ts'
import { convertWithOAuth } from '#auth/guests/link-guest.server.ts'
import { closingPage, handleOAuthCallback, respondToFailure } from '#auth/oauth/oauth.server.ts'
import { requestInfoContext, appContext, userContext } from '#services/context.ts'
import { setFlash } from '#routes/action-response.server.ts'
import type { Route } from './+types/oauth-callback'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const info = context.get(requestInfoContext)
  const user = context.get(userContext)
  const provider = app.providers.find(({ id }) => id === params.provider)
  if (!provider) return redirect(href('/'))
  const finished = await handleOAuthCallback({ app, info, request }, provider.id, user)
  const { attempt } = finished
  if (finished.done === 'failed') {
    return respondToFailure(info, provider.id, attempt, finished.reason)
  }
  if (finished.done === 'stays' && user) setFlash(info, [loginResults.alreadyLoggedIn(user)])
  if (finished.done === 'in' && itemPageBefore(attempt.search)) {
    setFlash(info, [loginResults.backAtItem])
  }
  let to = attempt.purpose === 'prove' ? '/account/' : pageAfterLogin(attempt.search, user)
  if (finished.done === 'met') {
    const linked = await convertWithOAuth({ app, info, request }, user, finished.identity)
    if (linked.done === 'refused') {
      return respondToFailure(info, provider.id, attempt, linked.reason)
    }
    if (linked.done === 'ask') to = '/link-guest/'
    else setFlash(info, [linkGuestResults.accountCreated])
  }
  return attempt.popup ? closingPage(info, attempt.popup, { ok: true, to }) : redirect(to, 303)
}
