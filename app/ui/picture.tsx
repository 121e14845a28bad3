import css from './picture.module.css'

export type PictureView = {
  url: string
  width: number
  height: number
  /** widths with an AVIF and a WebP variant; empty while they are being created */
  widths: number[]
  /** data URI of a few pixels, shown until the image has loaded */
  placeholder?: string
}

export const variantUrl = (url: string, width: number, format = 'webp'): string => `${url.replace(/\.\w+$/, '')}.${width}.${format}`
export const smallestUrl = ({ url, widths }: PictureView): string => (widths[0] ? variantUrl(url, widths[0]) : url)
export const sourceSet = ({ url, widths }: PictureView, format?: string): string | undefined =>
  widths.map((width) => `${variantUrl(url, width, format)} ${width}w`).join(', ') || undefined

type Props = { picture: PictureView; alt: string; sizes: string; isFirst?: boolean; isNext?: boolean; className?: string }

/** `isFirst`: the page's LCP image; `isNext`: probably seen soon; all others are loaded lazily */
export function Picture({ picture, alt, sizes, isFirst = false, isNext = false, className = '' }: Props) {
  const { url, widths } = picture
  const usual = widths.find((width) => width >= 480) ?? widths.at(-1)
  return (
    <picture>
      {widths.length > 0 && <source type="image/avif" srcSet={sourceSet(picture, 'avif')} sizes={sizes} />}
      <img
        className={`${css.picture} ${className}`}
        src={usual ? variantUrl(url, usual) : url}
        // Browsers without AVIF are old, so one width is enough for them.
        width={picture.width}
        height={picture.height}
        alt={alt}
        loading={isFirst || isNext ? undefined : 'lazy'}
        fetchPriority={isFirst ? 'high' : isNext ? undefined : 'low'}
        decoding="async"
        style={picture.placeholder && (isFirst || isNext) ? { backgroundImage: `url(${picture.placeholder})` } : undefined}
      />
    </picture>
  )
}
