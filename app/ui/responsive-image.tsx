import css from './responsive-image.module.css'
import { sourceSet, variantUrl } from './image-url.ts'

export type ImageView = {
  url: string
  width: number
  height: number
  /**
   * Each width has an AVIF and a WebP variant. The list is empty until the shop has created them.
   */
  widths: number[]
  placeholder?: string
}

export function ResponsiveImage({
  image,
  alt,
  sizes,
  isFirst = false,
  isNext = false,
  className = '',
}: {
  image: ImageView | null
  alt: string
  sizes: string
  isFirst?: boolean
  isNext?: boolean
  className?: string
}) {
  if (!image) return <span className={className} />
  const { url, widths } = image
  const laterPriority = isNext ? undefined : 'low'
  const usual = widths.find((width) => width >= 480) ?? widths.at(-1)
  return (
    <picture>
      {widths.length > 0 && (
        <source
          type="image/avif"
          srcSet={sourceSet(image, 'avif')}
          sizes={sizes}
        />
      )}
      <img
        className={`${css.image} ${className}`}
        src={usual ? variantUrl(url, usual) : url}
        width={image.width}
        height={image.height}
        alt={alt}
        loading={isFirst || isNext ? undefined : 'lazy'}
        fetchPriority={isFirst ? 'high' : laterPriority}
        decoding="async"
        style={
          image.placeholder && (isFirst || isNext)
            ? { backgroundImage: `url(${image.placeholder})` }
            : undefined
        }
      />
    </picture>
  )
}
