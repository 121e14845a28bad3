import { href, redirect } from 'react-router'
import { alreadyIn } from '#app/features/auth/auth-texts.ts'
import { pageAfterLogin } from '#app/features/auth/redirects.ts'
import { KEPT } from '#app/features/auth/guests/guests.ts'
import { keepGuestWith } from '#app/features/auth/guests/link-guest.server.ts'
import { finishTry } from '#app/features/auth/oauth/oauth.server.ts'
import { afterFailure, closingPage } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { tellNext } from '../answer.server.ts'
import type { Route } from './+types/provider-back'

/** LOGIN-13, S-207: what a provider sends back. It leads to addresses of the shop only, whatever it says. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)]
  const provider = shop.providers.list.find(({ id }) => id === params.provider)
  if (!provider) return redirect(href('/'))
  const finished = await finishTry({ shop, page, request }, provider.id, user)
  const { wanted } = finished
  if (finished.done === 'failed') return afterFailure(page, provider.id, wanted, finished.reason)
  if (finished.done === 'stays' && user) tellNext(page, [alreadyIn(user)])
  let to = wanted.purpose === 'prove' ? '/account/' : pageAfterLogin('', user?.role === 'admin')
  if (finished.done === 'met') {
    const kept = await keepGuestWith({ shop, page, request }, user, finished.identity)
    if (kept.done === 'refused') return afterFailure(page, provider.id, wanted, kept.reason)
    if (kept.done === 'ask') to = '/link-guest/'
    else tellNext(page, [KEPT])
  }
  return wanted.popup ? closingPage(page, wanted.popup, { ok: true, to }) : redirect(to, 303)
}
