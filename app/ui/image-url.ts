import type { ImageView } from './responsive-image.tsx'

export const variantUrl = (url: string, width: number, format = 'webp') =>
  `${url.replace(/\.\w+$/, '')}.${width}.${format}`
export const smallestUrl = ({ url, widths }: ImageView) =>
  widths[0] ? variantUrl(url, widths[0]) : url
export const sourceSet = ({ url, widths }: ImageView, format?: string) =>
  widths.map((width) => `${variantUrl(url, width, format)} ${width}w`).join(', ') || undefined
