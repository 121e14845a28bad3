import { href, redirect } from 'react-router'
import { loginResults } from '#auth/texts.ts'
import { providerPageTexts } from '#auth/oauth/texts.ts'
import { pageAfterLogin } from '#auth/redirects.ts'
import {
  canStart,
  startOAuth,
  closingPage,
  redirectPage,
  respondToFailure,
} from '#auth/oauth/oauth.server.ts'
import { parseAttempt } from '#auth/oauth/oauth.ts'
import { readForm, setFlash } from '#routes/action-response.server.ts'
import type { Route } from './+types/oauth-start'

export async function action({ params, ...args }: Route.ActionArgs) {
  const { app, info, auth, user, form } = await readForm(args)
  const provider = app.providers.find(({ id }) => id === params.provider)
  if (!provider) return redirect(href('/'))
  const attempt = parseAttempt(form)
  const { purpose, popup, search } = attempt
  // A login must begin at `emailLinkOrigin`, because the provider returns there and the browser
  // sends no cookies of another host.
  if (app.publicUrl === null && app.emailLinkOrigin !== info.origin) {
    return redirectPage(info, providerPageTexts.theShop, `${app.emailLinkOrigin}/login/${search}`)
  }
  if (!canStart(purpose, user)) {
    if (user && purpose === 'login') setFlash(info, [loginResults.alreadyLoggedIn(user)])
    const to = user ? pageAfterLogin(search, user) : href('/login')
    return popup ? closingPage(info, popup, { ok: true, to }) : redirect(to)
  }
  const start = await startOAuth(auth, provider.id, { ...attempt, userId: user?.id ?? '' })
  return start.ok
    ? redirectPage(info, provider.name, start.url)
    : respondToFailure(info, provider.id, attempt, start.reason)
}

export const loader = () => redirect(href('/'))
