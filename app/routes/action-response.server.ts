/** Builds the HTTP response to a form. With JavaScript, the response contains the result. Without JavaScript, the response is a redirect, and a short-lived cookie contains the toasts for the next page. */
import { data, redirect } from 'react-router'
import { readCookie } from '#app/lib/http/cookies.server.ts'
import type { RequestInfo } from '#app/services/context.ts'
import { isOwnPath } from '#app/lib/http/own-path.ts'
import type { ActionResult } from '#app/ui/action-result.ts'

const FLASH = 'flash'

/** A form that is sent without JavaScript has the field `back`. This field contains the URL of the page to which the shop redirects. */
export function respond<Result extends ActionResult>(
  info: RequestInfo,
  form: FormData,
  result: Result,
  status = 200,
) {
  const back = form.get('back')
  if (typeof back !== 'string' || !isOwnPath(back)) return data(result, { status })
  setFlash(info, [
    ...new Set([
      ...(result.toasts ?? []),
      ...(result.error ? [result.error] : []),
      ...(result.help ? [result.help] : []),
    ]),
  ])
  throw redirect(back, 303)
}

/** Stores texts in a cookie, so that the next page shows these texts as toasts. */
export function setFlash(info: RequestInfo, texts: string[]): void {
  if (texts.length > 0)
    info.responseCookies.push(
      `${FLASH}=${encodeURIComponent(JSON.stringify(texts))}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`,
    )
}

/** Returns the texts from the cookie and deletes the cookie, so that each text is shown only once. */
export function takeFlash(request: Request, info: RequestInfo): string[] {
  const cookie = readCookie(request, info, FLASH)
  if (!cookie) return []
  info.responseCookies.push(`${FLASH}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`)
  try {
    const texts: unknown = JSON.parse(decodeURIComponent(cookie))
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string').slice(0, 4) : []
  } catch {
    return []
  }
}
