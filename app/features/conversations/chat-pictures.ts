/** The pictures of one conversation that are chosen or on their way, apart from React: made smaller and sent in the background (025). */
import { isId15, newId8 } from '#app/platform/ids.ts'
import type { Upload } from '#app/features/uploads/picture-upload.ts'
import type { Sending } from '#app/features/uploads/send-picture.ts'
import type { Shrunken } from '#app/features/uploads/shrink-picture.ts'
import { mayRetryPicture, PICTURE_FAILED, PICTURES_LEFT } from './message-pictures.ts'

export type ChatPicture = {
  /** until the shop has given it an id */
  key: string
  file: File
  /** what is sent of it; null while it is being made smaller */
  small: Blob | null
  /** its preview; '' while there is none */
  src: string
  upload: Upload
  /** its message is sent; it is no longer in the box */
  isGoing: boolean
}
export type Ways = {
  shrink: (file: File, signal: AbortSignal) => Promise<Shrunken>
  /** null: it could not be sent */
  send: (sending: Omit<Sending, 'address' | 'fields'>) => Promise<Upload | null>
  discard: (id: string) => void
}
export type Settled = { ok: true; ids: string[] } | { ok: false; text: string }

/** One goes out while the shop stores the other. */
const MOST_AT_ONCE = 2
const idOf = ({ upload }: ChatPicture) => (upload.state === 'uploaded' ? upload.id : null)
const failed: Upload = { state: 'error', text: PICTURE_FAILED }

export type ChatPictures = ReturnType<typeof openChatPictures>

export function openChatPictures(ways: Ways) {
  let list: readonly ChatPicture[] = []
  let isShrinking = false
  const listeners = new Set<() => void>()
  const underWay = new Map<string, AbortController>()

  function set(next: readonly ChatPicture[]) {
    list = next
    for (const listener of [...listeners]) listener()
  }
  const change = (key: string, part: Partial<ChatPicture>) => set(list.map((one) => (one.key === key ? { ...one, ...part } : one)))
  /** By its key, or by the id that the shop gave it. */
  const find = (name: string) => list.find((one) => one.key === name || idOf(one) === name)

  function goOn() {
    void shrinkNext()
    while (underWay.size < MOST_AT_ONCE) {
      const next = list.find(({ key, small, upload }) => small && upload.state === 'pending' && !underWay.has(key))
      if (!next) return
      void send(next)
    }
  }

  /** One at a time: a large photo takes 200 MB while it is open. */
  async function shrinkNext() {
    const next = isShrinking ? undefined : list.find(({ small }) => small === null)
    if (!next) return
    isShrinking = true
    const made = await ways.shrink(next.file, new AbortController().signal).catch(() => ({ file: next.file, preview: null }))
    isShrinking = false
    // Taken out meanwhile: then there is nothing to show.
    if (find(next.key)) change(next.key, { small: made.file, src: made.preview ? URL.createObjectURL(made.preview) : '' })
    goOn()
  }

  async function send({ key, small, file }: ChatPicture) {
    const controller = new AbortController()
    const { signal } = controller
    underWay.set(key, controller)
    const onChange = (upload: Upload) => void (signal.aborted || change(key, { upload }))
    const upload = (await ways.send({ file: small!, name: file.name, signal, onChange }).catch(() => null)) ?? failed
    if (!signal.aborted) {
      underWay.delete(key)
      change(key, { upload })
    } else if (upload.state === 'uploaded') ways.discard(upload.id)
    goOn()
  }

  function drop(isMeant: (one: ChatPicture) => boolean, isWanted: boolean) {
    for (const one of list.filter(isMeant)) {
      underWay.get(one.key)?.abort()
      underWay.delete(one.key)
      const id = idOf(one)
      if (id && !isWanted) ways.discard(id)
      if (one.src) URL.revokeObjectURL(one.src)
    }
    if (list.some(isMeant)) set(list.filter((one) => !isMeant(one)))
    goOn()
  }
  function retry(key: string) {
    const upload = find(key)?.upload
    if (upload?.state !== 'error' || !mayRetryPicture(upload.text)) return
    change(key, { upload: { state: 'pending', step: 'waiting' } })
    goOn()
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    read: () => list,
    find,
    /** Files that passed `refusePicked`, in their order. */
    add(files: readonly File[]) {
      const upload: Upload = { state: 'pending', step: 'shrinking' }
      set([...list, ...files.map((file) => ({ key: `new-${newId8()}`, file, small: null, src: '', upload, isGoing: false }))])
      goOn()
    },
    /** Also ends what is on its way. */
    remove: (key: string) => drop((one) => one.key === key, false),
    retry,
    /** Out of the box and into a message; what names them there. */
    take(): string[] {
      const taken = list.filter(({ isGoing }) => !isGoing)
      if (taken.length > 0) set(list.map((one) => ({ ...one, isGoing: true })))
      return taken.map((one) => idOf(one) ?? one.key)
    },
    /** Waits until all of a message's pictures are in the shop; what failed is tried once more. */
    async settle(names: readonly string[]): Promise<Settled> {
      // From before the page was loaded: the shop has it, or nobody has.
      if (names.some((name) => !find(name) && !isId15(name))) return { ok: false, text: PICTURES_LEFT }
      for (const name of names) retry(name)
      const pictures = () => names.map((name) => find(name))
      await new Promise<void>((done) => {
        const check = () => {
          if (pictures().some((one) => one?.upload.state === 'pending')) return
          listeners.delete(check)
          done()
        }
        listeners.add(check)
        check()
      })
      const ids: string[] = []
      for (const [at, one] of pictures().entries()) {
        if (one?.upload.state === 'error') return { ok: false, text: one.upload.text }
        const id = one ? idOf(one) : names[at]!
        if (!id || !isId15(id)) return { ok: false, text: PICTURES_LEFT }
        ids.push(id)
      }
      return { ok: true, ids }
    },
    /** A message is given up: its pictures go, here and in the shop. */
    giveUp(names: readonly string[]) {
      drop((one) => names.includes(one.key) || names.includes(idOf(one) ?? ''), false)
      for (const name of names) if (isId15(name)) ways.discard(name)
    },
    /** Messages that have arrived show what the shop has of them. */
    keepOnly(names: readonly string[]) {
      drop((one) => one.isGoing && !names.includes(one.key) && !names.includes(idOf(one) ?? ''), true)
    },
  }
}
