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
