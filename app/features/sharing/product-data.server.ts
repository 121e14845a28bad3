/** An item as search engines read it: what it is, what it costs now, whether it can be had. */
import type { ItemAvailability, Offer, Product, WithContext } from 'schema-dts'
import { canBeHad, colorName, type Item } from '#app/features/catalog/catalog.ts'
import { CURRENCY, decimalAmount, discountedPrice } from '#app/features/money/money.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { itemPath } from './addresses.ts'
import { clip } from './describe.ts'
import { businessId } from './shop-data.server.ts'

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

/** CONST-01; what the owner left empty is left out. */
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
