/** Rows of the table `pictures` as pages show them. */
import type { PictureState, PictureTable } from '#db/tables.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { pictureUrl } from '#app/features/uploads/picture-upload.ts'

type Shown = Pick<PictureTable, 'path' | 'width' | 'height' | 'widths' | 'placeholder'> & { state: PictureState }
type Joined = {
  path: string | null
  pictureWidth: number | null
  pictureHeight: number | null
  widths: string | null
  placeholder: string | null
  pictureState: PictureState | null
}

/** The columns of a joined picture; an item has a width of its own, so the picture's goes by another name. */
export const pictureColumns = [
  'pictures.path',
  'pictures.width as pictureWidth',
  'pictures.height as pictureHeight',
  'pictures.widths',
  'pictures.placeholder',
  'pictures.state as pictureState',
] as const

export const readPictureView = (row: Shown): PictureView => ({
  url: pictureUrl(row.path),
  width: row.width,
  height: row.height,
  widths: JSON.parse(row.widths) as number[],
  hasAvif: row.state === 'finished',
  placeholder: row.placeholder,
})

/** A row selected with `pictureColumns`; null when nothing was joined. */
export function readJoinedPicture(row: Joined): PictureView | null {
  if (row.path === null) return null
  return readPictureView({
    path: row.path,
    width: row.pictureWidth ?? 0,
    height: row.pictureHeight ?? 0,
    widths: row.widths ?? '[]',
    placeholder: row.placeholder ?? '',
    state: row.pictureState ?? 'waiting',
  })
}
