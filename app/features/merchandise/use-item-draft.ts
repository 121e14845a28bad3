/** Keeps a draft of the form while she types and brings it back when the form opens (018). */
import { useEffect, useRef, useState } from 'react'
import { onForgotten } from '#app/features/orders/request-draft.ts'
import { dropItemDraft, findItemDraft, keepItemDraft, type ItemDraft } from './item-drafts.ts'

/** Milliseconds after the last change. */
const PAUSE = 300

/** `restore`: puts a draft into the form that has just opened. */
export function useItemDraft(id: string, restore: (draft: ItemDraft) => void) {
  const [draft] = useState(() => openDraft(id))
  const latest = useRef(restore)
  useEffect(() => {
    latest.current = restore
  })
  // The browser's database, its tabs and the end of the page are outside React.
  useEffect(() => draft.follow((found) => latest.current(found)), [draft])
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
    keep(draft: ItemDraft) {
      waiting = draft
      clearTimeout(timer)
      timer = setTimeout(flush, PAUSE)
    },
    flush,
    /** Another tab has saved the item, and with it dropped the draft that all tabs share: everything is written once more. */
    keepAnew(draft: ItemDraft) {
      written = new Set()
      this.keep(draft)
    },
    /** Saved, discarded, or typed back to what is stored. */
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
      document.addEventListener('visibilitychange', hidden)
      window.addEventListener('pagehide', flush)
      return () => {
        flush()
        isGone = isOver = true
        stop()
        document.removeEventListener('visibilitychange', hidden)
        window.removeEventListener('pagehide', flush)
      }
    },
  }
}
