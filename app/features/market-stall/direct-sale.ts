/** Contains the rules of sales outside a conversation that server and browser share. */
import type { Cents } from '#app/features/pricing/money.ts'
import type { SaleMethod } from '#app/features/sales/payment-method.ts'

export const MAX_PIECE_NAME = 200
export const MAX_BUYER_NAME = 120
/** The forms offer at most this many pieces. The owner types the name of any other piece. */
export const MAX_PIECES = 200

/** `cents` is the price with the discount. `image` is the URL of the smallest image. */
export type Piece = { id: string; name: string; cents: Cents; image: string | null }

/** A sale of today in the market-stall mode. `at` is in UTC milliseconds. */
export type MarketSale = { id: string; itemId: string; name: string; cents: Cents; method: SaleMethod; at: number }
