import { withoutPanel } from '#app/ui/message-panel-url.ts'
import { isOwnPath } from '#app/lib/http/own-path.ts'

/** A public page stays open, other pages lead to the home page; the message panel is not public. [S-017] */
export function pageAfterLogout(from: string): string {
  if (!isOwnPath(from) || /^\/manage(\/|$)/i.test(from)) return '/'
  const [path, search = ''] = from.split('?', 2)
  return `${path}${withoutPanel(search)}`
}

/** Links in reminder emails lead to the login page, which redirects signed-in users. [S-182] */
export function pageAfterLogin(search: string, isAdmin: boolean): string {
  const orderId = new URLSearchParams(search).get('messages')
  if (orderId === null) return '/'
  return isAdmin ? `/manage/messages/${encodeURIComponent(orderId)}` : '/?messages='
}
