import { createContext, use, useSyncExternalStore } from 'react'

export const ShopTimeZoneContext = createContext('UTC')

export const useShopTimeZone = () => use(ShopTimeZoneContext)

let zone: string | undefined
const neverChanges = () => () => {}

/** Returns the shop's time zone on the server and before hydration. [OWN-108] */
export function useTimeZone() {
  const ofShop = useShopTimeZone()
  return useSyncExternalStore(
    neverChanges,
    () => (zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone || ofShop),
    () => ofShop,
  )
}
