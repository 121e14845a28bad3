import { withoutPanel } from '#app/ui/message-panel-url.ts'
import { isOwnPath } from '#app/lib/http/own-path.ts'

/** Returns the URL of the page without the message panel. Returns the home page if the URL belongs to the admin area or to another site. [S-017] */
export function pageAfterLogout(from: string): string {
  if (!isOwnPath(from) || /^\/manage(\/|$)/i.test(from)) return '/'
  const [path, search = ''] = from.split('?', 2)
  return `${path}${withoutPanel(search)}`
}

/** Returns the URL of an item page without the message panel. Returns null for any other page. */
export const parseItemPage = (from: string): string | null =>
  isOwnPath(from) && /^\/item\/[\w%-]+\/?(\?.*)?$/.test(from) ? pageAfterLogout(from) : null

/** Returns the item page from which a visitor came to log in, or null if she came from another page. [S-017] */
export const itemPageBefore = (search: string): string | null =>
  parseItemPage(new URLSearchParams(search).get('from') ?? '')

const MARKET_PATH = '/manage/market/'
const isFromMarket = (search: string): boolean =>
  new URLSearchParams(search).get('from') === MARKET_PATH

/** Returns the page that opens after a login. A link in a reminder email leads to the conversation, and a login from an item page back to this item. The owner also returns to the market stall. [S-182, AGREE-77] */
export function pageAfterLogin(search: string, isAdmin: boolean): string {
  const orderId = new URLSearchParams(search).get('messages')
  const itemPage = itemPageBefore(search)
  // A visitor who had to log in before sending an order request returns to the order request form.
  if (orderId === null)
    return itemPage
      ? `${itemPage}${new URLSearchParams(search).has('ordering') ? '#order-request' : ''}`
      : isAdmin && isFromMarket(search)
        ? MARKET_PATH
        : '/'
  return isAdmin ? `/manage/messages/${encodeURIComponent(orderId)}` : '/?messages='
}
