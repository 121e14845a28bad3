import type { FileRefusal } from '#app/features/images/image-upload.ts'

/** Pixels; a smaller picture would be blurred on home screens. */
export const MIN_LOGO_SIDE = 180
export type LogoRefusal = FileRefusal | 'too-small'

/** Files that are made from the owner's logo. `isMaskable`: launchers cut off the edge, so the logo is smaller. */
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

/** `logo`: the setting, which is a new id for each picture, so that browsers may cache its files forever */
export const logoPath = (logo: string, file: LogoFile): string => `brand/${logo}/${file}`
export const logoUrl = (logo: string, file: LogoFile): string => `/pictures/${logoPath(logo, file)}`
