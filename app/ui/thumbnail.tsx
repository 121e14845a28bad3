import { Image } from './icons.tsx'
import { Picture, type PictureView } from './picture.tsx'

/** Shows the small picture of a piece in a list, or an icon if the piece has no picture. */
export const Thumbnail = ({ picture }: { picture: PictureView | null }) =>
  picture ? (
    <Picture
      picture={picture}
      alt=""
      sizes="64px"
      className="thumbnail"
    />
  ) : (
    <span className="thumbnail in-middle soft">
      <Image />
    </span>
  )
