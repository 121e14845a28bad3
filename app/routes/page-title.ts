/** What stands in the browser's tab: the page, then the shop by the name that the owner has given it. */
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'

type Matches = readonly [{ loaderData?: { settings: Pick<ShopSettings, 'name'> } | undefined }, ...unknown[]]

/** S-029: `matches` of the route's meta; the first is the document, which has read the settings. */
export const shopNameIn = (matches: Matches): string => matches[0].loaderData?.settings.name ?? ''

export const pageTitle = (matches: Matches, page: string) => ({ title: `${page} — ${shopNameIn(matches)}` })
