import { href, redirect } from 'react-router'
import { loginResults } from '#app/features/auth/texts.ts'
import { providerPageTexts } from '#app/features/auth/oauth/texts.ts'
import { pageAfterLogin } from '#app/features/auth/redirects.ts'
import { startOAuth, canStart } from '#app/features/auth/oauth/oauth.server.ts'
import {
  closingPage,
  redirectPage,
  respondToFailure,
} from '#app/features/auth/oauth/oauth-pages.server.ts'
import { parseAttempt } from '#app/features/auth/oauth/oauth.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { setFlash } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/oauth-start'

/** Starts the sign-in at a provider. The HTTP response is a page that opens the provider, and not a redirect, so that the sign-in also works in a popup. [LOGIN-13, S-207] */
export async function action({ request, params, context }: Route.ActionArgs) {
  const [app, info, user] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext),
  ]
  const form = await parseForm(request)
  const provider = app.providers.list.find(({ id }) => id === params.provider)
  if (!provider) return redirect(href('/'))
  const attempt = parseAttempt(form)
  const { purpose, popup, search } = attempt
  // The provider always returns the browser to `providers.origin`. Cookies of other host names do not reach this origin, so a visitor at another host name must log in at this origin.
  if (app.publicUrl === null && app.providers.origin !== info.origin)
    return redirectPage(info, providerPageTexts.theShop, `${app.providers.origin}/login/${search}`)
  if (!canStart(purpose, user)) {
    if (user && purpose === 'login') setFlash(info, [loginResults.alreadyLoggedIn(user)])
    const to = user ? pageAfterLogin(search, user.role === 'admin') : href('/login')
    return popup ? closingPage(info, popup, { ok: true, to }) : redirect(to)
  }
  const begun = await startOAuth({ app, info, request }, provider.id, {
    ...attempt,
    userId: user?.id ?? '',
  })
  return begun.ok
    ? redirectPage(info, provider.name, begun.url)
    : respondToFailure(info, provider.id, attempt, begun.reason)
}

export const loader = () => redirect(href('/'))
