import { withoutPanel } from '#ui/message-panel-url.ts'
import type { User } from '#services/context.ts'
import { isOwnPath } from '#lib/http/own-path.ts'

/** Never returns the admin area or another site. [S-017] */
export function pageAfterLogout(from: string) {
  if (!isOwnPath(from) || /^\/manage(\/|$)/i.test(from)) return '/'
  const [path, search = ''] = from.split('?', 2)
  return `${path}${withoutPanel(search)}`
}

export function itemPageBefore(search: string) {
  const from = new URLSearchParams(search).get('from') ?? ''
  const isItemPage = isOwnPath(from) && /^\/item\/[\w%-]+\/?(\?.*)?$/.test(from)
  return isItemPage ? pageAfterLogout(from) : null
}

const MARKET_PATH = '/manage/market/'

/** The parameter `messages` of a reminder leads to the conversation. [S-182] */
export function pageAfterLogin(search: string, user: Pick<User, 'role'> | null) {
  const isOwner = user?.role === 'owner'
  const params = new URLSearchParams(search)
  const orderId = params.get('messages')
  if (orderId !== null) {
    return isOwner ? `/manage/messages/${encodeURIComponent(orderId)}` : '/?messages='
  }
  const itemPage = itemPageBefore(search)
  if (itemPage) return params.has('ordering') ? `${itemPage}#order-request` : itemPage
  return isOwner && params.get('from') === MARKET_PATH ? MARKET_PATH : '/'
}
