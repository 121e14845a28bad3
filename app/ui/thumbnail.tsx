import { Image } from './icons.tsx'
import { ResponsiveImage, type ImageView } from './responsive-image.tsx'
import css from './thumbnail.module.css'

export const Thumbnail = ({ image }: { image: ImageView | null }) =>
  image ? (
    <ResponsiveImage
      image={image}
      alt=""
      sizes="64px"
      className={css.thumbnail}
    />
  ) : (
    <span className={`grid place-items-center text-soft ${css.thumbnail}`}>
      <Image />
    </span>
  )
