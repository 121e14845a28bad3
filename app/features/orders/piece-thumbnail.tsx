import { Picture, type PictureView } from '#app/ui/picture.tsx'
import css from './piece-thumbnail.module.css'

/** A piece that was deleted has no picture. */
export const PieceThumbnail = ({ picture }: { picture: PictureView | null }) =>
  picture ? <Picture className={css.picture} picture={picture} alt="" sizes="64px" /> : <span className={css.picture} />
