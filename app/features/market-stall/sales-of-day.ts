import { clear, createStore, get, set, type UseStore } from 'idb-keyval'
import type { StoredMarketSale } from './direct-sale.ts'

const STORE_NAME = 'market-stall-day'
let database: UseStore | undefined
const openStore = () => (database ??= createStore(STORE_NAME, STORE_NAME))

export const readSalesOfDay = async (day: string) =>
  (await get<StoredMarketSale[]>(day, openStore())) ?? []

export async function storeSalesOfDay(day: string, sales: readonly StoredMarketSale[]) {
  await clear(openStore())
  await set(day, sales, openStore())
}

export const deleteSalesOfDay = () => clear(openStore())
