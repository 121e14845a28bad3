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
import type { EditorImage } from '#images/image-upload.ts'
import { onDraftsDeleted } from '#client/drafts.ts'
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

export function useItemDraft(id: string, restore: (draft: ItemDraft) => void) {
  const [draft] = useState(() => openDraft(id))
  const onFound = useEffectEvent(restore)
  useEffect(() => draft.follow((stored) => onFound(stored)), [draft])
  return draft
}

export const deleteItemDrafts = () => clear(openStore())

const PAUSE_MS = 300

function openDraft(id: string) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pendingDraft: ItemDraft | null = null
  let writtenIds = new Set<string>()
  let isOver = false
  let canKeep = true
  const failed = () => void (canKeep = false)

  function flush() {
    clearTimeout(timer)
    if (!pendingDraft || isOver) return
    void saveItemDraft(id, pendingDraft, writtenIds).catch(failed)
    pendingDraft = null
  }
  return {
    /** False if the browser cannot store the draft, for example in a private window. */
    canKeep: () => canKeep,
    /** With `isDeleted`, another tab has deleted the draft, so its files must be stored again. */
    keep(draft: ItemDraft, isDeleted = false) {
      if (isDeleted) writtenIds = new Set()
      pendingDraft = draft
      clearTimeout(timer)
      timer = setTimeout(flush, PAUSE_MS)
    },
    flush,
    drop() {
      clearTimeout(timer)
      pendingDraft = null
      writtenIds = new Set()
      void deleteItemDraft(id).catch(failed)
    },
    follow(restore: (draft: ItemDraft) => void) {
      isOver = false
      let isClosed = false
      void findItemDraft(id, Date.now()).then(
        (draft) => draft && !isClosed && restore(draft),
        failed,
      )
      const stop = onDraftsDeleted(() => void (isOver = true))
      const onHide = () => document.visibilityState === 'hidden' && flush()
      const page = new AbortController()
      document.addEventListener('visibilitychange', onHide, { signal: page.signal })
      window.addEventListener('pagehide', flush, { signal: page.signal })
      return () => {
        flush()
        isClosed = true
        isOver = true
        stop()
        page.abort()
      }
    },
  }
}

const fileKey = (id: string, imageId: string) => `file ${id} ${imageId}`

async function saveItemDraft(id: string, draft: ItemDraft, writtenIds: Set<string>) {
  const newImages = draft.images.filter((image) => image.file && !writtenIds.has(image.id))
  for (const image of newImages) writtenIds.add(image.id)
  const images = draft.images.map((image) => ({
    ...image,
    file: null,
    src: image.file ? '' : image.src,
  }))
  const files = newImages.map((image): [string, File | null] => [fileKey(id, image.id), image.file])
  await setMany([[`draft ${id}`, { ...draft, images }], ...files], openStore())
}

/** The server keeps unused uploads for a day, so after half a day they surely still exist. */
const UPLOAD_LIFETIME_MS = 12 * 3_600_000

async function findItemDraft(id: string, now: number): Promise<ItemDraft | null> {
  const draft = await get<ItemDraft>(`draft ${id}`, openStore())
  if (!draft) return null
  const names = draft.images.map((image) => fileKey(id, image.id))
  const files = await getMany<File | undefined>(names, openStore())
  const isOld = now - draft.at > UPLOAD_LIFETIME_MS
  const images = draft.images.map((image, index): EditorImage => {
    const file = files[index] ?? null
    return { ...image, file, upload: file && isOld ? { state: 'pending' } : image.upload }
  })
  return { ...draft, images: images.filter(({ file, upload }) => file || upload === null) }
}

/** Deletes the texts first, because the owner may leave the page immediately. */
async function deleteItemDraft(id: string) {
  await del(`draft ${id}`, openStore())
  const storedKeys = await keys<string>(openStore())
  const fileKeys = storedKeys.filter((key) => key.startsWith(fileKey(id, '')))
  await delMany(fileKeys, openStore())
}
