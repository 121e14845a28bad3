/** Cookies of the shop's own. With https only this very host can set them, by their name (S-204). */
import type { Page } from './context.ts'

const HOST = '__Host-'
export const isSecure = ({ origin }: Pick<Page, 'origin'>): boolean => origin.startsWith('https:')

export function hostOnly(line: string): string {
  const marked = /;\s*secure/i.test(line) ? line : `${line}; Secure`
  return marked.startsWith(HOST) ? marked : HOST + marked
}

/** What came back; '' for none. `name` as it was written, without the prefix. */
export function readCookie(request: Request, page: Pick<Page, 'origin'>, name: string): string {
  const start = `${isSecure(page) ? HOST : ''}${name}=`
  const found = request.headers
    .get('cookie')
    ?.split(/;\s*/)
    .find((part) => part.startsWith(start))
  return found?.slice(start.length) ?? ''
}
