import { logoUrl } from '#app/features/branding/logo.ts'
import { manifestTexts } from './texts.ts'

/** Contains the background colors of the dark and the light theme. app/ui/tokens.css defines the same colors. */
export const themeColors = { dark: '#1d1815', light: '#faf5ec' } as const

const icon = (src: string, size: number, purpose: 'any' | 'maskable') => ({
  src,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

/** `theme` is the shop's default theme. [THEME-02] */
type ManifestOptions = { name: string; theme: 'dark' | 'light'; logo: string }

export const manifestOf = ({ name, theme, logo }: ManifestOptions) => ({
  id: '/',
  name,
  // The home screens of phones cut off names of more than 14 characters.
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
    icon(logo ? logoUrl(logo, 'any-192.png') : '/icon-192.png', 192, 'any'),
    icon(logo ? logoUrl(logo, 'any-512.png') : '/icon-512.png', 512, 'any'),
    icon(logo ? logoUrl(logo, 'maskable-192.png') : '/icon-maskable-192.png', 192, 'maskable'),
    icon(logo ? logoUrl(logo, 'maskable-512.png') : '/icon-maskable-512.png', 512, 'maskable'),
  ],
  shortcuts: [
    { name: manifestTexts.gallery, url: '/gallery/' },
    { name: manifestTexts.contact, url: '/contact/' },
  ],
})
