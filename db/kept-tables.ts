/** What the triggers of 029-growth.ts keep: counts, sums and folded texts. Nobody else writes them (042). */

export type UnreadCountTable = { orderId: string; reader: string; unread: number }
/** How often a piece was asked for and sold */
export type WantedItemTable = { itemId: string; wanted: number }
type KeptSums = { sales: number; revenue: number; discounts: number; reduced: number }
/** By day of UTC, counted from 1970 */
export type SalesDayTable = KeptSums & { day: number }
/** By year of UTC, for each category, piece, buyer and receipt */
export type SalesYearTable = KeptSums & { kind: string; year: number; key: string }
/** By day as well */
export type RequestDayTable = { day: number; requests: number; sold: number }
/** What acts are called, each name once */
export type ActNameTable = { words: string }
/** Folded texts that are searched */
export type ItemWordsTable = { itemId: string; name: string; words: string }
export type OrderWordsTable = { orderId: string; words: string }
