import type { Insertable } from 'kysely'
import type { Db, PictureTable, Tx } from '#db/schema.ts'
import type { Files } from './files.server.ts'
import { newId8, newId15 } from './ids.ts'
import type { Live } from './live.server.ts'
import type { Log } from './log.server.ts'
import { makeOriginal, type PictureRefusal } from './normalize-upload.server.ts'
import { openPictureWork } from './resize-queue.server.ts'
import { filesOf, makeWidths, type FilesOfPicture, type Turn } from './resize.server.ts'

export type { FilesOfPicture, PictureRefusal }
/** items/{category} | colors | category | people | scenes (FILES-01 to FILES-03); chat: for the two of a conversation only (025) */
export type PictureFolder = `items/${string}` | 'colors' | 'category' | 'people' | 'scenes' | 'chat'
export type StoredPicture = Insertable<PictureTable> & { state: 'waiting' | 'finished' }

type Prepared = { ok: true; picture: StoredPicture } | { ok: false; refusal: PictureRefusal }
export type Pictures = ReturnType<typeof openPictures>

type Setup = { db: Db; files: Files; now: () => number; log: Log; live: Pick<Live, 'changed' | 'onChange'> }

/** One piece of work on pictures at a time, so that a core is left for the pages; uploads, for which somebody waits, come before the background. */
function openTurns(): { soon: Turn; later: Turn } {
  let isTaken = false
  const soon: (() => void)[] = []
  const later: (() => void)[] = []
  const turn =
    (waiting: (() => void)[]): Turn =>
    async (work) => {
      if (isTaken) await new Promise<void>((go) => waiting.push(go))
      isTaken = true
      try {
        return await work()
      } finally {
        const next = soon.shift() ?? later.shift()
        if (next) next()
        else isTaken = false
      }
    }
  return { soon: turn(soon), later: turn(later) }
}

export function openPictures({ db, files, now, log, live }: Setup) {
  const turns = openTurns()
  return {
    ...openPictureWork({ db, files, now, log, live, turn: turns.later }),
    /** Writes the original, not yet the row: call keep() in the transaction that uses the picture, or discard(). A given `name` is overwritten. */
    async prepare(folder: PictureFolder, bytes: Uint8Array, name = newId8() + newId8(), square?: number): Promise<Prepared> {
      const original = await turns.soon(() => makeOriginal(bytes, square))
      if (!original.ok) return original
      const path = `${folder}/${name}.${original.extension}`
      await files.put(path, original.bytes)
      const { width, height, placeholder } = original
      const work = { widths: '[]', state: 'waiting', attempts: 0, nextAttemptAt: 0 } as const
      return { ok: true, picture: { id: newId15(), path, width, height, placeholder, createdAt: now(), ...work } }
    },
    /** Makes only these widths of a prepared picture, before others' work: somebody waits for it. Throws the original away when it fails. */
    async completeSoon(picture: StoredPicture, wanted: readonly number[]): Promise<StoredPicture> {
      try {
        const { widths } = await makeWidths(files, picture, turns.soon, wanted)
        return { ...picture, widths: JSON.stringify(widths), state: 'finished' }
      } catch (error) {
        await files.delete(picture.path).catch(() => {})
        throw error
      }
    },
    async keep(on: Db | Tx, picture: StoredPicture) {
      await on.insertInto('pictures').values(picture).execute()
    },
    async discard(picture: FilesOfPicture) {
      await Promise.all(filesOf(picture).map((path) => files.delete(path)))
    },
  }
}
