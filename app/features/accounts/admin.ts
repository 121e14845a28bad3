import { withoutPanel } from '#app/features/conversations/message-address.ts'
import { isOwnPath } from '#app/platform/own-path.ts'

/** The one owner (ROLES-16): the account whose id is this fixed one. Nothing else makes an admin. */
export const ADMIN_ID = 'owner'

export const isAdminId = (id: string): boolean => id === ADMIN_ID

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
