/** How every action answers: to script as data, without script by going back to the page with the texts in a short-lived cookie. */
import { data, redirect } from 'react-router'
import { readCookie } from '#app/platform/cookies.server.ts'
import type { Page } from '#app/platform/context.ts'
import { isOwnPath } from '#app/platform/own-path.ts'
import type { Answer } from '#app/ui/answer.ts'

const FLASH = 'flash'

/** `status` is for refusals; without script the page of the form is shown again and carries the texts. */
export function answer<Told extends Answer>(page: Page, form: FormData, result: Told, status = 200) {
  const back = form.get('back')
  if (typeof back !== 'string' || !isOwnPath(back)) return data(result, { status })
  tellNext(page, [...new Set([...(result.toasts ?? []), ...(result.error ? [result.error] : []), ...(result.help ? [result.help] : [])])])
  throw redirect(back, 303)
}

/** For the page that is shown next, whichever it is. */
export function tellNext(page: Page, texts: string[]): void {
  if (texts.length > 0)
    page.cookies.push(`${FLASH}=${encodeURIComponent(JSON.stringify(texts))}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`)
}

/** The texts left by the last answer, taken once. */
export function takeFlash(request: Request, page: Page): string[] {
  const cookie = readCookie(request, page, FLASH)
  if (!cookie) return []
  page.cookies.push(`${FLASH}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`)
  try {
    const texts: unknown = JSON.parse(decodeURIComponent(cookie))
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string').slice(0, 4) : []
  } catch {
    return []
  }
}
