import type { ShopSettings } from '#settings/shop-settings.ts'

type Matches = readonly [
  { loaderData?: { settings: Pick<ShopSettings, 'name'> } | undefined },
  ...unknown[],
]

export const shopNameIn = (matches: Matches) => matches[0].loaderData?.settings.name ?? ''

export const unlistedTitle =
  (title: string) =>
  ({ matches }: { matches: Matches }) => [
    { title: `${title} — ${shopNameIn(matches)}` },
    { name: 'robots', content: 'noindex' },
  ]
