/** What Home gets of a showcase record; `deg` is its place on the ring (S-020). */
import type { PictureView } from '#app/ui/picture.tsx'

export type ShowcaseView = {
  id: string
  title: string
  categoryId: string
  categoryTitle: string
  deg: number
  picture: PictureView | null
}
