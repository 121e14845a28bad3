/** What schema.org has words for: the shop as a business, its site, the way to a page. */
import type { BreadcrumbList, LocalBusiness, WebSite, WithContext } from 'schema-dts'
import { defaultSettings } from '#app/features/settings/default-settings.server.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'

export const businessId = (origin: string): string => `${origin}/#shop`

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

/** From the home page down; the last step is the page itself. */
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
