import { href, redirect } from 'react-router'
import { alreadyIn } from '#app/features/auth/auth-texts.ts'
import { pageAfterLogin } from '#app/features/auth/redirects.ts'
import { beginTry, mayBegin } from '#app/features/auth/oauth/oauth.server.ts'
import { closingPage, goingPage, afterFailure } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { readTry } from '#app/features/auth/oauth/oauth.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { tellNext } from '../answer.server.ts'
import type { Route } from './+types/provider'

/** LOGIN-13, S-207: the way to a provider; the answer is a page, so that it may stand in a popup. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)]
  const form = await readForm(request)
  const provider = shop.providers.list.find(({ id }) => id === params.provider)
  if (!provider) return redirect(href('/'))
  const { purpose, popup } = readTry(form)
  // It sends people back to one address only, where the cookies of another name of the same machine are not.
  if (shop.publicUrl === null && shop.providers.origin !== page.origin)
    return goingPage(page, 'the shop', `${shop.providers.origin}/login/`)
  if (!mayBegin(purpose, user)) {
    if (user && purpose === 'login') tellNext(page, [alreadyIn(user)])
    const to = user ? pageAfterLogin('', user.role === 'admin') : href('/login')
    return popup ? closingPage(page, popup, { ok: true, to }) : redirect(to)
  }
  const begun = await beginTry({ shop, page, request }, provider.id, { purpose, popup, userId: user?.id ?? '' })
  return begun.ok ? goingPage(page, provider.name, begun.url) : afterFailure(page, provider.id, { purpose, popup }, begun.reason)
}

export const loader = () => redirect(href('/'))
