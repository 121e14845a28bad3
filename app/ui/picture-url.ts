import type { PictureView } from './picture.tsx'

export const variantUrl = (url: string, width: number, format = 'webp'): string =>
  `${url.replace(/\.\w+$/, '')}.${width}.${format}`
export const smallestUrl = ({ url, widths }: PictureView): string =>
  widths[0] ? variantUrl(url, widths[0]) : url
export const sourceSet = ({ url, widths }: PictureView, format?: string): string | undefined =>
  widths.map((width) => `${variantUrl(url, width, format)} ${width}w`).join(', ') || undefined
