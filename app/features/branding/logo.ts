import type { FileRefusal } from '#app/features/images/image-upload.ts'

/** Each side of a logo needs at least this many pixels, because a smaller logo would be blurred on home screens. */
export const MIN_LOGO_SIDE = 180
export type LogoRefusal = FileRefusal | 'too-small'

/** The shop creates these files from the owner's logo. Phones cut off the edge of an image with `isMaskable`, so the shop adds an edge to these images. */
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

/** `logo` is the id of the logo in the settings. Each new logo gets a new id, so that browsers may cache its files forever. */
export const logoPath = (logo: string, file: LogoFile): string => `brand/${logo}/${file}`
export const logoUrl = (logo: string, file: LogoFile): string => `/pictures/${logoPath(logo, file)}`
