/** Keeps each drawn picture as a file until what it shows has changed. */
import { createHash } from 'node:crypto'
import type { Shop } from '#app/platform/context.ts'
import { drawSharePicture } from './draw-share-picture.server.ts'
import { versionOf, type ShareSubject } from './share-subject.server.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** One is drawn at a time, so that a crowd that asks for all of them leaves the machine to the pages. */
let last: Promise<unknown> = Promise.resolve()

/**
 * The picture as it is now; drawn when it is asked for first. Only what the shop has now is ever drawn, each once: asking for other
 * versions costs nothing.
 */
export async function readSharePicture(shop: Pick<Shop, 'files' | 'log'>, subject: ShareSubject): Promise<Bytes> {
  const begin = `share/${createHash('sha256').update(subject.key).digest('hex').slice(0, 16)}.`
  const path = `${begin}${versionOf(subject)}.jpg`
  const kept = await shop.files.read(path)
  if (kept) return kept
  const drawing = last.then(() => drawAndKeep(shop, subject, begin, path))
  last = drawing.catch(() => {})
  return drawing
}

async function drawAndKeep(
  { files, log }: Pick<Shop, 'files' | 'log'>,
  subject: ShareSubject,
  begin: string,
  path: string,
): Promise<Bytes> {
  // Whoever waited finds what the one before has drawn.
  const kept = await files.read(path)
  if (kept) return kept
  const pictures = (await Promise.all(subject.pictures.map((stored) => files.read(stored)))).filter((bytes) => bytes !== null)
  const drawn = await drawSharePicture({ ...subject.words, pictures }).catch((error: unknown) => {
    log.error('a shared picture is drawn without its photo', error)
    return drawSharePicture({ ...subject.words, pictures: [] })
  })
  const bytes = new Uint8Array(drawn)
  // A full disk is no reason to show nothing: it is drawn again next time.
  await keep(files, begin, path, bytes).catch((error: unknown) => log.error('a shared picture could not be kept', error))
  return bytes
}

async function keep(files: Shop['files'], begin: string, path: string, bytes: Bytes): Promise<void> {
  await files.put(path, bytes)
  const older = (await files.list(begin)).filter((other) => other.path !== path)
  await Promise.all(older.map((other) => files.delete(other.path)))
}
