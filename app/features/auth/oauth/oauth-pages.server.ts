/** The two small pages on the way to a provider and back. They may stand in a popup, and carry nothing but where to go on. */
import type { Page } from '#app/platform/context.ts'
import { channelOf, isReason, type Told, type Failed, type Purpose, type Reason, type Try } from './oauth.ts'
import { redirect } from 'react-router'
import { readCookie } from '#app/platform/cookies.server.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter]!)

/** With `same-origin-allow-popups` here the browser would part the popup from the page that opened it, which then thinks it closed. */
const OPENER = { 'Cross-Origin-Opener-Policy': 'unsafe-none' }

const colors = { dark: 'background:#1d1815;color:#f3e9da', light: 'background:#faf5ec;color:#33281f' }

function smallPage(theme: Page['theme'], title: string, body: string, headers: Record<string, string>): Response {
  const html = `<!doctype html><html lang="en" style="color-scheme:${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title><style>
body{margin:0;min-height:100vh;display:grid;place-content:center;justify-items:center;gap:1rem;padding:1.5rem;box-sizing:border-box;text-align:center;${colors[theme]};font:1.05rem/1.5 Figtree,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
h1{margin:0;font:600 1.5rem/1.2 Georgia,serif}a{display:inline-flex;align-items:center;min-height:2.75rem;color:inherit}
</style></head><body><main id="main"><h1>${escaped(title)}</h1>${body}</main></body></html>`
  return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers } })
}

/** Not a redirect: forms of the shop may lead nowhere else (Content-Security-Policy), and browsers count where an answer redirects to. */
export function goingPage({ theme }: Page, name: string, url: string): Response {
  const body = `<p>If nothing happens, <a href="${escaped(url)}">continue to ${escaped(name)}</a></p>`
  return smallPage(theme, `Going to ${name} …`, body, { Refresh: `0; url=${url}`, ...OPENER })
}

/**
 * LOGIN-13: tells the page that opened the popup, which closes it: a window that closes itself may take with it what it has just said. Where that
 * page cannot, it does so after all, and where that cannot be either the shop goes on in here.
 */
export function closingPage({ theme, nonce }: Page, popup: string, told: Told): Response {
  const told_ = JSON.stringify(told).replaceAll('<', '\\u003c')
  const script = `const c=new BroadcastChannel(${JSON.stringify(channelOf(popup))});c.postMessage(${told_});setTimeout(()=>{window.close();setTimeout(()=>location.replace(${JSON.stringify(told.to)}),1000)},1000)`
  const body = `<p><a href="${escaped(told.to)}">Continue to the shop</a></p><script${nonce === null ? '' : ` nonce="${nonce}"`}>${script}</script>`
  return smallPage(theme, told.ok ? 'You are signed in' : 'You can close this window', body, OPENER)
}

const COOKIE = 'provider-failed'
const cookie = (value: string, seconds: number) => `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`

const beginnings: Record<Purpose, string> = { login: '/login/', link: '/link-guest/', prove: '/account/' }

/** LOGIN-56, S-018: nothing else has changed. A popup tells its page itself. */
export function afterFailure(page: Page, provider: string, { purpose, popup }: Pick<Try, 'purpose' | 'popup'>, reason: Reason): Response {
  const to = beginnings[purpose]
  if (popup) return closingPage(page, popup, { ok: false, reason, to })
  page.cookies.push(cookie(`${provider}.${reason}`, 60))
  return redirect(to, 303)
}

/** LOGIN-30: told once, gone at the next look. */
export function takeFailure(request: Request, page: Page): Failed | null {
  const found = /^([\w-]{1,40})\.(\w{1,20})$/.exec(readCookie(request, page, COOKIE))
  if (!found) return null
  page.cookies.push(cookie('', 0))
  const [, provider = '', reason = ''] = found
  return isReason(reason) ? { provider, reason } : null
}
