/** What the browser's own frame is colored in: the ground of each theme, as in app/ui/tokens.css. */
export const themeColors = { dark: '#1d1815', light: '#faf5ec' } as const

const icon = (file: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/${file}`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

/** THEME-02: the dark theme is that of a first visit. */
export const manifestOf = (name: string) => ({
  id: '/',
  name,
  // Longer ones are cut below the icon.
  short_name: name.length <= 14 ? name : (name.split(' ')[0] ?? name).slice(0, 14),
  description: `${name}: macrame, knotted by hand in the colors that you choose.`,
  lang: 'en',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: themeColors.dark,
  theme_color: themeColors.dark,
  categories: ['shopping', 'lifestyle'],
  icons: [
    icon('icon-192.png', 192, 'any'),
    icon('icon-512.png', 512, 'any'),
    icon('icon-maskable-192.png', 192, 'maskable'),
    icon('icon-maskable-512.png', 512, 'maskable'),
  ],
  shortcuts: [
    { name: 'Gallery', url: '/gallery/' },
    { name: 'Contact', url: '/contact/' },
  ],
})
