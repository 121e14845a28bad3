import {
  clear,
  createStore,
  del,
  delMany,
  get,
  getMany,
  keys,
  setMany,
  type UseStore,
} from 'idb-keyval'
import { useEffect, useEffectEvent, useState } from 'react'
import type { EditorImage } from '#app/features/images/image-upload.ts'
import { onDraftsDeleted } from '#app/client/drafts.ts'
import type { ItemFormValues } from './item-form.ts'

export type ItemDraft = {
  typed: ItemFormValues
  images: readonly EditorImage[]
  revision: number | null
  at: number
}

const STORE_NAME = 'item-drafts'
let store: UseStore | undefined
const openStore = () => (store ??= createStore(STORE_NAME, STORE_NAME))

const fileKey = (id: string, imageId: string) => `file ${id} ${imageId}`

/** Stores the texts and images of the draft in one transaction. `written` contains the ids of the images whose files are already stored. */
async function saveItemDraft(id: string, draft: ItemDraft, written: Set<string>): Promise<void> {
  const fresh = draft.images.filter((image) => image.file && !written.has(image.id))
  for (const image of fresh) written.add(image.id)
  const images = draft.images.map((image) => ({
    ...image,
    file: null,
    src: image.file ? '' : image.src,
  }))
  const files = fresh.map((image): [string, File | null] => [fileKey(id, image.id), image.file])
  await setMany([[`draft ${id}`, { ...draft, images }], ...files], openStore())
}

/** A restored draft uploads its files again if it is older than this number of milliseconds, because the server deletes an upload after a day. */
const UPLOAD_LIFETIME_MS = 12 * 3_600_000

async function findItemDraft(id: string, now: number): Promise<ItemDraft | null> {
  const draft = await get<ItemDraft>(`draft ${id}`, openStore())
  if (!draft) return null
  const names = draft.images.map((image) => fileKey(id, image.id))
  const files = await getMany<File | undefined>(names, openStore())
  const isOld = now - draft.at > UPLOAD_LIFETIME_MS
  const images = draft.images.map((image, at): EditorImage => {
    const file = files[at] ?? null
    return { ...image, file, upload: file && isOld ? { state: 'pending' } : image.upload }
  })
  // A new image whose file is not stored cannot be restored.
  return { ...draft, images: images.filter(({ file, upload }) => file || upload === null) }
}

/** Deletes the texts of a draft first, because the owner may leave the page immediately. Then deletes the files of the draft. */
async function deleteItemDraft(id: string): Promise<void> {
  await del(`draft ${id}`, openStore())
  const all = await keys<string>(openStore())
  const files = all.filter((key) => key.startsWith(fileKey(id, '')))
  await delMany(files, openStore())
}

/** Deletes all drafts in this browser when the owner logs out. */
export function deleteItemDrafts(): void {
  void clear(openStore()).catch(() => {})
}

const PAUSE_MS = 300

/** Stores a draft of the form `id` while the owner types. When the form opens, `restore` receives the stored draft. */
export function useItemDraft(id: string, restore: (draft: ItemDraft) => void) {
  const [draft] = useState(() => openDraft(id))
  const found = useEffectEvent(restore)
  useEffect(() => draft.follow((stored) => found(stored)), [draft])
  return draft
}

function openDraft(id: string) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: ItemDraft | null = null
  let written = new Set<string>()
  let isOver = false
  let canKeep = true
  const failed = () => void (canKeep = false)

  function flush() {
    clearTimeout(timer)
    if (!waiting || isOver) return
    void saveItemDraft(id, waiting, written).catch(failed)
    waiting = null
  }
  return {
    /** Returns false if the browser refuses to store the draft, for example in a private window. */
    canKeep: () => canKeep,
    /** If `isDeleted` is true, another browser tab has deleted the draft that these tabs share. Then the files are stored again. */
    keep(draft: ItemDraft, isDeleted = false) {
      if (isDeleted) written = new Set()
      waiting = draft
      clearTimeout(timer)
      timer = setTimeout(flush, PAUSE_MS)
    },
    flush,
    drop() {
      clearTimeout(timer)
      waiting = null
      written = new Set()
      void deleteItemDraft(id).catch(failed)
    },
    follow(restore: (draft: ItemDraft) => void): () => void {
      isOver = false
      let isGone = false
      void findItemDraft(id, Date.now()).then((found) => found && !isGone && restore(found), failed)
      const stop = onDraftsDeleted(() => void (isOver = true))
      const hidden = () => document.visibilityState === 'hidden' && flush()
      const page = new AbortController()
      document.addEventListener('visibilitychange', hidden, { signal: page.signal })
      window.addEventListener('pagehide', flush, { signal: page.signal })
      return () => {
        flush()
        isGone = isOver = true
        stop()
        page.abort()
      }
    },
  }
}
