import { withoutPanel } from '#app/ui/message-address.ts'
import { isOwnPath } from '#app/platform/own-path.ts'

/** S-017: logging out stays on the page when it is public, else it leads home. The message panel is not public. */
export function pageAfterLogout(from: string): string {
  if (!isOwnPath(from) || /^\/manage(\/|$)/i.test(from)) return '/'
  const [path, search = ''] = from.split('?', 2)
  return `${path}${withoutPanel(search)}`
}

/** S-182: a letter about unread messages leads here past the login, which is skipped by whoever is signed in. */
export function pageAfterLogin(search: string, isAdmin: boolean): string {
  const orderId = new URLSearchParams(search).get('messages')
  if (orderId === null) return '/'
  return isAdmin ? `/manage/messages/${encodeURIComponent(orderId)}` : '/?messages='
}
