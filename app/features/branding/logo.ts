import type { FileRefusal } from '#images/image-upload.ts'

export const MIN_LOGO_SIDE = 180
export type LogoRefusal = FileRefusal | 'too-small'

/** Phones cut off the edge of a maskable image, so the shop draws an edge around it. */
export const logoFiles = {
  'mark.webp': { size: 128, isMaskable: false },
  'favicon.png': { size: 64, isMaskable: false },
  'touch.png': { size: 180, isMaskable: false },
  'any-192.png': { size: 192, isMaskable: false },
  'any-512.png': { size: 512, isMaskable: false },
  'maskable-192.png': { size: 192, isMaskable: true },
  'maskable-512.png': { size: 512, isMaskable: true },
} as const

export type LogoFile = keyof typeof logoFiles

export const logoPath = (logo: string, file: LogoFile) => `brand/${logo}/${file}`
export const logoUrl = (logo: string, file: LogoFile) => `/pictures/${logoPath(logo, file)}`
