import { useSyncExternalStore } from 'react'

let zone: string | undefined
const neverChanges = () => () => {}

/** Returns the time zone of the visitor's device. On the server and before hydration, returns the time zone of the shop. [OWN-108] */
export const useTimeZone = (ofShop: string): string =>
  useSyncExternalStore(
    neverChanges,
    () => (zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone || ofShop),
    () => ofShop,
  )
