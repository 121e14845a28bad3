import css from './picture.module.css'
import { sourceSet, variantUrl } from './picture-url.ts'

export type PictureView = {
  url: string
  width: number
  height: number
  /** Each of these widths has an AVIF and a WebP variant. The list is empty while the shop creates the variants. */
  widths: number[]
  /** A data URI of a tiny image, which is shown until the full image has loaded. */
  placeholder?: string
}

type Props = {
  picture: PictureView
  alt: string
  sizes: string
  isFirst?: boolean
  isNext?: boolean
  className?: string
}

/** `isFirst` marks the largest image at the top of the page, and `isNext` marks an image that the visitor probably sees next. All other images are loaded lazily. */
export function Picture({
  picture,
  alt,
  sizes,
  isFirst = false,
  isNext = false,
  className = '',
}: Props) {
  const { url, widths } = picture
  const usual = widths.find((width) => width >= 480) ?? widths.at(-1)
  return (
    <picture>
      {widths.length > 0 && (
        <source
          type="image/avif"
          srcSet={sourceSet(picture, 'avif')}
          sizes={sizes}
        />
      )}
      <img
        className={`${css.picture} ${className}`}
        // Browsers that cannot show AVIF are rare, so they get the WebP image in only one width.
        src={usual ? variantUrl(url, usual) : url}
        width={picture.width}
        height={picture.height}
        alt={alt}
        loading={isFirst || isNext ? undefined : 'lazy'}
        fetchPriority={isFirst ? 'high' : isNext ? undefined : 'low'}
        decoding="async"
        style={
          picture.placeholder && (isFirst || isNext)
            ? { backgroundImage: `url(${picture.placeholder})` }
            : undefined
        }
      />
    </picture>
  )
}
