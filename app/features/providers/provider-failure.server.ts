/** After a try that failed: the page that it began on shows why, once. */
import { redirect } from 'react-router'
import { readCookie } from '#app/platform/cookies.server.ts'
import type { Page } from '#app/platform/context.ts'
import { closingPage } from './provider-pages.server.ts'
import { isReason, type Failed, type Purpose, type Reason, type Try } from './provider-try.ts'

const COOKIE = 'provider-failed'
const cookie = (value: string, seconds: number) => `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`

/** Where each kind of try begins. */
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
