/** Contains the rules of sales outside a conversation. Server and browser share these rules. */
import type { Cents } from '#app/features/pricing/money.ts'
import type { SaleMethod } from '#app/features/sales/payment-method.ts'

export const MAX_PIECE_NAME = 200
export const MAX_BUYER_NAME = 120
/** The form lists at most this many pieces. The owner can type the name of a piece that is not listed. */
export const MAX_PIECES = 200

/** `cents` is the price after the discount. `image` is the URL of the smallest image variant. */
export type Piece = { id: string; name: string; cents: Cents; image: string | null }

/** A sale that the owner made today at the market stall. `at` is in UTC milliseconds. */
export type MarketSale = {
  id: string
  itemId: string
  name: string
  cents: Cents
  method: SaleMethod
  at: number
}
