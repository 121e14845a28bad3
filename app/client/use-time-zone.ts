import { useSyncExternalStore } from 'react'

let zone: string | undefined
const neverChanges = () => () => {}

/** The reader's own time zone; on the server, and until the page is hydrated, the shop's. [OWN-108] */
export const useTimeZone = (ofShop: string): string =>
  useSyncExternalStore(
    neverChanges,
    () => (zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone || ofShop),
    () => ofShop,
  )
