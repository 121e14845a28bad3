/** Two minimal pages, which a popup can show, too: the first page leads the browser to a provider, and the second page is shown after the provider's response. */
import type { RequestInfo } from '#app/services/context.ts'
import type { PopupMessage, OAuthFailure, Purpose, FailureReason, OAuthAttempt } from './oauth.ts'
import { channelName, isFailureReason } from './oauth.ts'
import { redirect } from 'react-router'
import { providerPageTexts as texts } from './texts.ts'
import { readCookie } from '#app/lib/http/cookies.server.ts'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** With `same-origin-allow-popups`, the browser would cut the connection between the popup and the page that opened the popup. */
const POPUP_HEADERS = { 'Cross-Origin-Opener-Policy': 'unsafe-none' }

const colors = {
  dark: 'background:#1d1815;color:#f3e9da',
  light: 'background:#faf5ec;color:#33281f',
}

function minimalPage(
  chosen: RequestInfo['theme'],
  title: string,
  body: string,
  headers: Record<string, string>,
): Response {
  const theme = chosen ?? 'dark'
  const html = `<!doctype html><html lang="en" style="color-scheme:${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title><style>
body{margin:0;min-height:100vh;display:grid;place-content:center;justify-items:center;gap:1rem;padding:1.5rem;box-sizing:border-box;text-align:center;${colors[theme]};font:1.05rem/1.5 Figtree,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
h1{margin:0;font:600 1.5rem/1.2 Georgia,serif}a{display:inline-flex;align-items:center;min-height:2.75rem;color:inherit}
</style></head><body><main id="main"><h1>${escaped(title)}</h1>${body}</main></body></html>`
  return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers } })
}

/** Returns a page that opens the URL. A redirect would be blocked, because `form-action` in the Content-Security-Policy also applies to redirects. */
export function redirectPage({ theme }: RequestInfo, name: string, url: string): Response {
  const body = `<p>${texts.continueTo.before}<a href="${escaped(url)}">${escaped(texts.continueTo.link(name))}</a></p>`
  return minimalPage(theme, texts.goingTo(name), body, {
    Refresh: `0; url=${url}`,
    ...POPUP_HEADERS,
  })
}

/**
 * Sends the result to the page that opened the popup, and that page closes the popup. If the popup is still open after a second, it closes
 * itself. If the browser does not allow that, the popup opens the shop after another second. [LOGIN-13]
 */
export function closingPage(
  { theme, nonce }: RequestInfo,
  popup: string,
  message: PopupMessage,
): Response {
  const json = JSON.stringify(message).replaceAll('<', '\\u003c')
  const script = `const c=new BroadcastChannel(${JSON.stringify(channelName(popup))});c.postMessage(${json});setTimeout(()=>{window.close();setTimeout(()=>location.replace(${JSON.stringify(message.to)}),1000)},1000)`
  const body = `<p><a href="${escaped(message.to)}">${texts.continueToShop}</a></p><script${nonce === null ? '' : ` nonce="${nonce}"`}>${script}</script>`
  return minimalPage(theme, message.ok ? texts.signedIn : texts.closeWindow, body, POPUP_HEADERS)
}

const FAILURE_COOKIE = 'provider-failed'
const failureCookie = (value: string, seconds: number) =>
  `${FAILURE_COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`

const startPages: Record<Exclude<Purpose, 'login'>, string> = {
  link: '/link-guest/',
  prove: '/account/',
}

/** Redirects to the page that shows the failure. In a popup, posts the failure to the page that opened the popup instead. [LOGIN-56, S-018] */
export function respondToFailure(
  info: RequestInfo,
  provider: string,
  { purpose, popup, search }: Pick<OAuthAttempt, 'purpose' | 'popup' | 'search'>,
  reason: FailureReason,
): Response {
  const to = purpose === 'login' ? `/login/${search}` : startPages[purpose]
  if (popup) return closingPage(info, popup, { ok: false, reason, to })
  info.responseCookies.push(failureCookie(`${provider}.${reason}`, 60))
  return redirect(to, 303)
}

/** Returns the failure of the last attempt and deletes the cookie with the failure, so that the user sees each failure only once. [LOGIN-30] */
export function takeFailure(request: Request, info: RequestInfo): OAuthFailure | null {
  const found = /^([\w-]{1,40})\.(\w{1,20})$/.exec(readCookie(request, info, FAILURE_COOKIE))
  if (!found) return null
  info.responseCookies.push(failureCookie('', 0))
  const [, provider = '', reason = ''] = found
  return isFailureReason(reason) ? { provider, reason } : null
}
