import { manifestOf } from '#seo/manifest.ts'
import { MARKET_PATH } from './direct-sale.ts'
import { marketTexts } from './texts.ts'

export const marketManifestOf = (shop: Parameters<typeof manifestOf>[0]) => ({
  ...manifestOf(shop),
  id: MARKET_PATH,
  start_url: MARKET_PATH,
  scope: MARKET_PATH,
  shortcuts: [],
  name: `${marketTexts.title}, ${shop.name}`,
  short_name: marketTexts.appName,
})
