/** Drafts of the item form, kept in this browser: texts and images, chosen files included; one per item and one for the new item (018). */
import { createStore, delMany, get, getMany, keys, setMany, type UseStore } from 'idb-keyval'
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

const fileKey = (id: string, imageId: string) => `file ${id} ${imageId}`

/** All at once or not at all. Files are large: each is written once, `written` holds whose they are. */
export async function keepItemDraft(id: string, { images, ...texts }: ItemDraft, written: Set<string>): Promise<void> {
  const fresh = images.filter((image) => image.file && !written.has(image.id))
  for (const image of fresh) written.add(image.id)
  const bare = images.map((image) => ({ ...image, file: null, src: image.file ? '' : image.src }))
  const files = fresh.map((image): [string, File | null] => [fileKey(id, image.id), image.file])
  await setMany([[`texts ${id}`, texts], [`images ${id}`, bare], ...files], drafts())
}

/** An upload that no item was saved with is swept after a day: its file goes out anew. */
const UPLOADS_LAST = 12 * 3_600_000

export async function findItemDraft(id: string, now: number): Promise<ItemDraft | null> {
  const texts = await get<Texts>(`texts ${id}`, drafts())
  if (!texts) return null
  const bare = (await get<readonly EditorImage[]>(`images ${id}`, drafts())) ?? []
  const files = await getMany<File | undefined>(
    bare.map((image) => fileKey(id, image.id)),
    drafts(),
  )
  const isOld = now - texts.at > UPLOADS_LAST
  const images = bare.map((image, at): EditorImage => {
    const file = files[at] ?? null
    return { ...image, file, upload: file && isOld ? { state: 'pending' } : image.upload }
  })
  // What was never an upload of the item's, and whose file the browser did not keep, cannot be brought back.
  return { ...texts, images: images.filter(({ file, upload }) => file || upload === null) }
}

/** The texts go at once, in one step: a page that is left right afterwards must not find them again. Files follow. */
export async function dropItemDraft(id: string): Promise<void> {
  await delMany([`texts ${id}`, `images ${id}`], drafts())
  const files = (await keys<string>(drafts())).filter((key) => key.startsWith(`file ${id} `))
  if (files.length > 0) await delMany(files, drafts())
}
