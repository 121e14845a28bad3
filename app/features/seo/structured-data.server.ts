import { logoUrl } from '#app/features/branding/logo.ts'
import type {
  BreadcrumbList,
  ItemAvailability,
  LocalBusiness,
  Offer,
  Product,
  WebSite,
  WithContext,
} from 'schema-dts'
import { colorName, isForSale, isItemAvailable, type Item } from '#app/features/catalog/catalog.ts'
import { decimalAmount, discountedPrice } from '#app/features/pricing/money.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { itemPath } from './urls.ts'
import { clip } from './plain-pages.ts'
import { structuredDataTexts } from './texts.ts'

const businessId = (origin: string): string => `${origin}/#shop`

/** Returns the structured data of the shop. Settings that the owner has left empty are omitted. [OWN-01] */
export function localBusiness(
  origin: string,
  settings: ShopSettings,
  picture: string,
): WithContext<LocalBusiness> {
  const { email, phone: telephone, city } = settings
  const sameAs = [settings.facebook, settings.instagram].filter(Boolean)
  return {
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    '@id': businessId(origin),
    name: settings.name,
    description: structuredDataTexts.shop,
    url: `${origin}/`,
    logo: `${origin}${settings.logo ? logoUrl(settings.logo, 'any-512.png') : '/icon-512.png'}`,
    image: picture,
    ...(telephone && { telephone }),
    ...(email && { email }),
    ...(city && { address: { '@type': 'PostalAddress', addressLocality: city } }),
    ...(sameAs.length > 0 && { sameAs }),
  }
}

export const webSite = (origin: string, name: string): WithContext<WebSite> => ({
  '@context': 'https://schema.org',
  '@type': 'WebSite',
  '@id': `${origin}/#site`,
  name,
  url: `${origin}/`,
  inLanguage: 'en',
  publisher: { '@id': businessId(origin) },
})

export const breadcrumbs = (
  origin: string,
  steps: { name: string; path: string }[],
): WithContext<BreadcrumbList> => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: structuredDataTexts.home, path: '/' }, ...steps].map(
    ({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${origin}${path}`,
    }),
  ),
})

/** Returns the availability of an item for search engines. The availability is limited if all available colors are low on stock. [S-061, S-062, S-294, AGREE-25, AGREE-28] */
export function availability(
  item: Pick<Item, 'colors' | 'pictures' | 'state'>,
  isOnHold = false,
): ItemAvailability {
  if (item.state === 'sold') return 'https://schema.org/SoldOut'
  if (!isForSale(item.state)) return 'https://schema.org/Discontinued'
  if (isOnHold || !isItemAvailable(item)) return 'https://schema.org/OutOfStock'
  const left = item.colors.filter((color) => color.isAvailable)
  if (left.length > 0 && left.every((color) => color.isLowOnStock))
    return 'https://schema.org/LimitedAvailability'
  return 'https://schema.org/InStock'
}

/** Returns the price and the availability of an item as a schema.org Offer. The Offer contains the current price, and the original price if the item is on sale. [CONST-01, DISC-55] */
function buildOffer(item: Item, origin: string, settings: ShopSettings, isOnHold: boolean): Offer {
  const now = discountedPrice(item.priceCents, item.discount)
  return {
    '@type': 'Offer',
    url: `${origin}${itemPath(item.id)}`,
    price: decimalAmount(now),
    priceCurrency: settings.currencyCode,
    ...(now < item.priceCents && {
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        priceType: 'https://schema.org/StrikethroughPrice',
        price: decimalAmount(item.priceCents),
        priceCurrency: settings.currencyCode,
      },
    }),
    availability: availability(item, isOnHold),
    itemCondition: 'https://schema.org/NewCondition',
    seller: { '@id': businessId(origin) },
  }
}

export function buildProduct(
  item: Item,
  origin: string,
  settings: ShopSettings,
  isOnHold: boolean,
): WithContext<Product> {
  const description = clip(item.description, 5000)
  const size = clip(item.size, 200)
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': `${origin}${itemPath(item.id)}#product`,
    name: item.name,
    ...(description && { description }),
    url: `${origin}${itemPath(item.id)}`,
    sku: item.id,
    ...(item.categoryTitle && { category: item.categoryTitle }),
    ...(item.pictures.length > 0 && {
      image: item.pictures.map(({ picture }) => `${origin}${picture.url}`),
    }),
    ...(item.colors.length > 0 && { color: item.colors.map(colorName).join(', ') }),
    ...(size && { size }),
    brand: { '@type': 'Brand', name: settings.name },
    offers: buildOffer(item, origin, settings, isOnHold),
  }
}
