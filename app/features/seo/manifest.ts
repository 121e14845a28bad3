import { logoUrl } from '#branding/logo.ts'
import { manifestTexts } from './texts.ts'

/** These are the background colors of app/ui/tokens.css. */
export const themeColors = { dark: '#1d1815', light: '#faf5ec' }

type ManifestOptions = { name: string; theme: 'dark' | 'light'; logo: string }

export const manifestOf = ({ name, theme, logo }: ManifestOptions) => ({
  id: '/',
  name,
  // Home screens cut off longer names.
  short_name: name.length <= 14 ? name : (name.split(' ')[0] ?? name).slice(0, 14),
  description: manifestTexts.description(name),
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: themeColors[theme],
  theme_color: themeColors[theme],
  categories: ['shopping', 'lifestyle'],
  icons: [
    icon(192, 'any', logo ? logoUrl(logo, 'any-192.png') : '/icon-192.png'),
    icon(512, 'any', logo ? logoUrl(logo, 'any-512.png') : '/icon-512.png'),
    icon(192, 'maskable', logo ? logoUrl(logo, 'maskable-192.png') : '/icon-maskable-192.png'),
    icon(512, 'maskable', logo ? logoUrl(logo, 'maskable-512.png') : '/icon-maskable-512.png'),
  ],
  shortcuts: [
    { name: manifestTexts.gallery, url: '/gallery/' },
    { name: manifestTexts.contact, url: '/contact/' },
  ],
})

const icon = (size: number, purpose: 'any' | 'maskable', src: string) => ({
  src,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})
