import { clear, createStore, del, delMany, get, getMany, keys, setMany, type UseStore } from 'idb-keyval'
import { useEffect, useEffectEvent, useState } from 'react'
import type { EditorImage } from '#app/features/images/picture-upload.ts'
import { onForgotten } from '#app/platform/request-draft.ts'
import type { TypedItem } from './item-input.ts'

export type ItemDraft = {
  typed: TypedItem
  images: readonly EditorImage[]
  revision: number | null
  at: number
}

const DRAFTS = 'item-drafts'
let opened: UseStore | undefined
const drafts = () => (opened ??= createStore(DRAFTS, DRAFTS))

const fileKey = (id: string, imageId: string) => `file ${id} ${imageId}`

/** All at once or not at all. Files are large: each is written once, `written` holds whose they are. */
async function keepItemDraft(id: string, draft: ItemDraft, written: Set<string>): Promise<void> {
  const fresh = draft.images.filter((image) => image.file && !written.has(image.id))
  for (const image of fresh) written.add(image.id)
  const images = draft.images.map((image) => ({ ...image, file: null, src: image.file ? '' : image.src }))
  const files = fresh.map((image): [string, File | null] => [fileKey(id, image.id), image.file])
  await setMany([[`draft ${id}`, { ...draft, images }], ...files], drafts())
}

/** An upload that no item was saved with is swept after a day: its file goes out anew. */
const UPLOADS_LAST = 12 * 3_600_000

async function findItemDraft(id: string, now: number): Promise<ItemDraft | null> {
  const draft = await get<ItemDraft>(`draft ${id}`, drafts())
  if (!draft) return null
  const names = draft.images.map((image) => fileKey(id, image.id))
  const files = await getMany<File | undefined>(names, drafts())
  const isOld = now - draft.at > UPLOADS_LAST
  const images = draft.images.map((image, at): EditorImage => {
    const file = files[at] ?? null
    return { ...image, file, upload: file && isOld ? { state: 'pending' } : image.upload }
  })
  // What was never an upload of the item's, and whose file the browser did not keep, cannot be brought back.
  return { ...draft, images: images.filter(({ file, upload }) => file || upload === null) }
}

/** The texts go at once, in one step: a page that is left right afterwards must not find them again. Files follow. */
async function dropItemDraft(id: string): Promise<void> {
  await del(`draft ${id}`, drafts())
  const all = await keys<string>(drafts())
  const files = all.filter((key) => key.startsWith(fileKey(id, '')))
  await delMany(files, drafts())
}

/** Who logs out leaves no drafts for the next person at the same browser; a browser that keeps nothing has none. */
export function forgetItemDrafts(): void {
  void clear(drafts()).catch(() => {})
}

const PAUSE_MS = 300

/** Keeps a draft of the form `id` while she types; `restore` puts the one that is found into the form that has just opened. */
export function useItemDraft(id: string, restore: (draft: ItemDraft) => void) {
  const [draft] = useState(() => openDraft(id))
  const found = useEffectEvent(restore)
  useEffect(() => draft.follow((kept) => found(kept)), [draft])
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
    void keepItemDraft(id, waiting, written).catch(failed)
    waiting = null
  }
  return {
    /** false in browsers that keep nothing, such as in a private window */
    canKeep: () => canKeep,
    /** `isAnew`: another tab has saved the item, and with it dropped the draft that all tabs share, so the files are written once more. */
    keep(draft: ItemDraft, isAnew = false) {
      if (isAnew) written = new Set()
      waiting = draft
      clearTimeout(timer)
      timer = setTimeout(flush, PAUSE_MS)
    },
    flush,
    drop() {
      clearTimeout(timer)
      waiting = null
      written = new Set()
      void dropItemDraft(id).catch(failed)
    },
    follow(restore: (draft: ItemDraft) => void): () => void {
      isOver = false
      let isGone = false
      void findItemDraft(id, Date.now()).then((found) => found && !isGone && restore(found), failed)
      const stop = onForgotten(() => void (isOver = true))
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
