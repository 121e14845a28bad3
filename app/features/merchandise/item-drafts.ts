/** Drafts of the item form, kept in this browser: texts and images, chosen files included; one per item and one for the new item (018). */
import { createStore, del, get, set, type UseStore } from 'idb-keyval'
import type { EditorImage } from '#app/features/uploads/picture-upload.ts'
import { DRAFTS } from './forget-item-drafts.ts'
import type { TypedItem } from './item-input.ts'

export type ItemDraft = {
  typed: TypedItem
  images: readonly EditorImage[]
  /** of the item that it was made against; null for a new one */
  revision: number | null
  at: number
}
type Texts = Omit<ItemDraft, 'images'>

let opened: UseStore | undefined
const drafts = () => (opened ??= createStore(DRAFTS, DRAFTS))

/** Files are large: they are written when the images change, not with each letter. */
export async function keepItemDraft(id: string, { images, ...texts }: ItemDraft, haveImagesChanged: boolean): Promise<void> {
  await Promise.all([set(`texts ${id}`, texts, drafts()), haveImagesChanged && set(`images ${id}`, images, drafts())])
}

/** An upload that no item was saved with is swept after a day: its file goes out anew. */
const UPLOADS_LAST = 12 * 3_600_000

export async function findItemDraft(id: string, now: number): Promise<ItemDraft | null> {
  const [texts, images = []] = await Promise.all([
    get<Texts>(`texts ${id}`, drafts()),
    get<readonly EditorImage[]>(`images ${id}`, drafts()),
  ])
  if (!texts) return null
  const isOld = now - texts.at > UPLOADS_LAST
  return { ...texts, images: images.map((image) => (isOld && image.file ? { ...image, upload: { state: 'pending' } } : image)) }
}

export async function dropItemDraft(id: string): Promise<void> {
  await Promise.all([del(`texts ${id}`, drafts()), del(`images ${id}`, drafts())])
}
