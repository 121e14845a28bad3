import type { ShopSettings } from '#app/features/settings/shop-settings.ts'

type Matches = readonly [
  { loaderData?: { settings: Pick<ShopSettings, 'name'> } | undefined },
  ...unknown[],
]

/** Returns the shop's name from the settings in the root loader's data. [S-029] */
export const shopNameIn = (matches: Matches): string => matches[0].loaderData?.settings.name ?? ''

export const pageTitle = (matches: Matches, page: string) => ({
  title: `${page} — ${shopNameIn(matches)}`,
})
