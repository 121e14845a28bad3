import type {
  BreadcrumbList,
  ItemAvailability,
  LocalBusiness,
  Offer,
  Product,
  WebSite,
  WithContext,
} from 'schema-dts'
import { logoUrl } from '#branding/logo.ts'
import { colorName, isForSale, isItemAvailable, type Item } from '#catalog/catalog.ts'
import { decimalAmount, discountedPrice } from '#pricing/money.ts'
import type { ShopSettings } from '#settings/shop-settings.ts'
import { clip } from './plain-pages.ts'
import { galleryPageTexts, structuredDataTexts } from './texts.ts'
import { itemPath } from './urls.ts'

const businessId = (origin: string) => `${origin}/#shop`

export function localBusiness(
  origin: string,
  settings: ShopSettings,
  image: string,
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
    image,
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

export function breadcrumbs(
  origin: string,
  steps: { name: string; path: string }[],
): WithContext<BreadcrumbList> {
  const path = [
    { name: structuredDataTexts.home, path: '/' },
    { name: galleryPageTexts.gallery, path: '/gallery/' },
    ...steps,
  ]
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: path.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: `${origin}${path}`,
    })),
  }
}

export function availability(
  item: Pick<Item, 'colors' | 'images' | 'state'>,
  isOnHold = false,
): ItemAvailability {
  if (item.state === 'sold') return 'https://schema.org/SoldOut'
  if (!isForSale(item.state)) return 'https://schema.org/Discontinued'
  if (isOnHold || !isItemAvailable(item)) return 'https://schema.org/OutOfStock'
  const colors = item.colors.filter((color) => color.isAvailable)
  if (colors.length > 0 && colors.every((color) => color.isLowOnStock)) {
    return 'https://schema.org/LimitedAvailability'
  }
  return 'https://schema.org/InStock'
}

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
    ...(item.images.length > 0 && {
      image: item.images.map(({ image }) => `${origin}${image.url}`),
    }),
    ...(item.colors.length > 0 && { color: item.colors.map(colorName).join(', ') }),
    ...(size && { size }),
    brand: { '@type': 'Brand', name: settings.name },
    offers: buildOffer(item, origin, settings, isOnHold),
  }
}
