import type { SaleUndo } from '#orders/sale-undo.server.ts'
import type { Cents } from '#pricing/money.ts'
import type { SaleMethod } from '#sales/texts.ts'

export const MAX_PIECE_NAME = 200
export const MAX_BUYER_NAME = 120

/** A sale that the shop has stored. Without `undo`, it cannot be undone. */
export type StoredMarketSale = MarketSale & { undo?: SaleUndo | undefined }

export type MarketSale = {
  id: string
  itemId: string
  name: string
  cents: Cents
  method: SaleMethod
  at: number
}

export const MARKET_PATH = '/manage/market/'

/** With this header, the answer has no personal data, so that the browser may store it. [S-486] */
export const OFFLINE_COPY_HEADER = 'X-Offline-Copy'
