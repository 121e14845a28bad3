import type { BreadcrumbList, ItemAvailability, LocalBusiness, Offer, Product, WebSite, WithContext } from 'schema-dts'
import { canBeHad, colorName, type Item } from '#app/features/catalog/catalog.ts'
import { CURRENCY, decimalAmount, discountedPrice } from '#app/features/pricing/money.ts'
import { defaultSettings } from '#app/features/settings/settings.server.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { itemPath } from './addresses.ts'
import { clip } from './page-texts.ts'

const businessId = (origin: string): string => `${origin}/#shop`

/** S-029: what the owner has not filled in is not told. */
const toldOf = (settings: ShopSettings) => (key: keyof ShopSettings & ('city' | 'email' | 'phone' | 'facebookUrl' | 'instagramUrl')) =>
  settings[key] === defaultSettings[key] ? undefined : settings[key]

export function localBusiness(origin: string, settings: ShopSettings, picture: string): WithContext<LocalBusiness> {
  const told = toldOf(settings)
  const [email, telephone, city] = [told('email'), told('phone'), told('city')]
  const sameAs = [told('facebookUrl'), told('instagramUrl')].filter((url) => url !== undefined)
  return {
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    '@id': businessId(origin),
    name: settings.name,
    description: 'Macrame, knotted by hand',
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
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

export const breadcrumbs = (origin: string, steps: { name: string; path: string }[]): WithContext<BreadcrumbList> => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: 'Home', path: '/' }, ...steps].map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${origin}${path}`,
  })),
})

/** S-061, S-062: what the cards of the gallery say of it, and whether all the colours that are left are low on stock. */
export function availabilityOf(item: Pick<Item, 'colors' | 'pictures'>): ItemAvailability {
  if (!canBeHad(item)) return 'https://schema.org/OutOfStock'
  const left = item.colors.filter((color) => color.isAvailable)
  if (left.length > 0 && left.every((color) => color.isLowOnStock)) return 'https://schema.org/LimitedAvailability'
  return 'https://schema.org/InStock'
}

/** CONST-01, DISC-55: the price is the one to be paid; the original of an item on sale stands beside it as the struck one. */
function offerOf(item: Item, origin: string): Offer {
  const now = discountedPrice(item.priceCents, item.discount)
  return {
    '@type': 'Offer',
    url: `${origin}${itemPath(item.id)}`,
    price: decimalAmount(now),
    priceCurrency: CURRENCY,
    ...(now < item.priceCents && {
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        priceType: 'https://schema.org/StrikethroughPrice',
        price: decimalAmount(item.priceCents),
        priceCurrency: CURRENCY,
      },
    }),
    availability: availabilityOf(item),
    itemCondition: 'https://schema.org/NewCondition',
    seller: { '@id': businessId(origin) },
  }
}

export function productOf(item: Item, origin: string, settings: ShopSettings): WithContext<Product> {
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
    category: item.categoryTitle,
    ...(item.pictures.length > 0 && { image: item.pictures.map(({ picture }) => `${origin}${picture.url}`) }),
    ...(item.colors.length > 0 && { color: item.colors.map(colorName).join(', ') }),
    ...(size && { size }),
    brand: { '@type': 'Brand', name: settings.name },
    offers: offerOf(item, origin),
  }
}
