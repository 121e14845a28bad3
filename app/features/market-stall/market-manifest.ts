import { manifestOf } from '#app/features/seo/manifest.ts'
import { MARKET_PATH } from './offline-copy.ts'
import { marketTexts } from './texts.ts'

/** Returns the web app manifest with which the owner can install the market-stall page as a separate app. The app has the icons of the shop. [AGREE-79] */
export const marketManifestOf = (shop: Parameters<typeof manifestOf>[0]) => ({
  ...manifestOf(shop),
  ...{ id: MARKET_PATH, start_url: MARKET_PATH, scope: MARKET_PATH, shortcuts: [] },
  ...{ name: `${marketTexts.title}, ${shop.name}`, short_name: marketTexts.appName },
})
