import css from './picture.module.css'

export type PictureView = {
  url: string
  width: number
  height: number
  /** widths in which an AVIF and a WebP stand beside it; none while they are being made */
  widths: number[]
  /** data URI of a few pixels; the browser paints it until the picture has come */
  placeholder?: string
}

export const variantUrl = (url: string, width: number, format = 'webp'): string => `${url.replace(/\.\w+$/, '')}.${width}.${format}`
export const smallestUrl = ({ url, widths }: PictureView): string => (widths[0] ? variantUrl(url, widths[0]) : url)
export const sourceSet = ({ url, widths }: PictureView, format?: string): string | undefined =>
  widths.map((width) => `${variantUrl(url, width, format)} ${width}w`).join(', ') || undefined

type Props = { picture: PictureView; alt: string; sizes: string; isFirst?: boolean; isNext?: boolean; className?: string }

/** `isFirst`: the picture that a page opens with; `isNext`: likely seen soon; all others load when they come near, and leave the way to those. */
export function Picture({ picture, alt, sizes, isFirst = false, isNext = false, className = '' }: Props) {
  const { url, widths } = picture
  const usual = widths.find((width) => width >= 480) ?? widths.at(-1)
  return (
    <picture>
      {widths.length > 0 && <source type="image/avif" srcSet={sourceSet(picture, 'avif')} sizes={sizes} />}
      <img
        className={`${css.picture} ${className}`}
        src={usual ? variantUrl(url, usual) : url}
        // A browser without AVIF is old enough to do with one width.
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
