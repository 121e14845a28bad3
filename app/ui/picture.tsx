/** A stored picture: right width, no layout shift, a blurred placeholder until it is there. */
import css from './picture.module.css'

/** What pages get of a stored picture. */
export type PictureView = {
  /** address of the original */
  url: string
  width: number
  height: number
  /** widths in which a WebP stands beside it */
  widths: number[]
  placeholder: string
}

export const variantUrl = (url: string, width: number): string => `${url.replace(/\.\w+$/, '')}.${width}.webp`

type Props = { picture: PictureView; alt: string; sizes: string; isFirst?: boolean; isNext?: boolean; className?: string }

/** `isFirst`: the picture that a page opens with; `isNext`: likely seen soon; all others load when they come near. */
export function Picture({ picture, alt, sizes, isFirst = false, isNext = false, className = '' }: Props) {
  const smallest = picture.widths.find((width) => width >= 480) ?? picture.widths.at(-1) ?? picture.width
  return (
    <img
      className={`${css.picture} ${className}`}
      src={variantUrl(picture.url, smallest)}
      srcSet={picture.widths.map((width) => `${variantUrl(picture.url, width)} ${width}w`).join(', ')}
      sizes={sizes}
      width={picture.width}
      height={picture.height}
      alt={alt}
      loading={isFirst || isNext ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      style={{ backgroundImage: `url(${picture.placeholder})` }}
    />
  )
}
