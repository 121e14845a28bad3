/** An archive on its way to the disk: one entry at a time, whatever its length, with a checksum of each. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { finished, pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { SUMS } from './archive.ts'

type Content = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
export type ArchiveWriter = Awaited<ReturnType<typeof openArchiveWriter>>

/** `path` must not be there yet. When `end` returns the file is on the disk for good; the caller removes it after a failure. */
export async function openArchiveWriter(path: string, at: number, signal?: AbortSignal) {
  const zip = new ZipFile()
  const sums: string[] = []
  // Open before anything is read: a folder that cannot be written is told at once.
  const handle = await open(path, 'wx', 0o600)
  const file = createWriteStream(path, { fd: handle })
  const written = pipeline(zip.outputStream, file)
  // Whoever adds the next entry hears of it.
  written.catch(() => {})
  const failed = new Promise<never>((_, fail) => {
    zip.once('error', fail)
    written.catch(fail)
  })
  failed.catch(() => {})

  async function add(name: string, content: Content, isPacked = false): Promise<void> {
    const hash = createHash('sha256')
    async function* summed() {
      for await (const part of content) {
        const bytes = typeof part === 'string' ? Buffer.from(part) : part
        signal?.throwIfAborted()
        hash.update(bytes)
        yield bytes
      }
    }
    const stream = Readable.from(summed(), { objectMode: false })
    zip.addReadStream(stream, name, { mtime: new Date(at), mode: 0o100600, compress: !isPacked })
    try {
      await Promise.race([finished(stream), failed])
    } catch (error) {
      stream.destroy()
      throw error
    }
    sums.push(`${hash.digest('hex')}  ${name}\n`)
  }
  return {
    add,
    async end(): Promise<void> {
      await add(SUMS, [sums.join('')])
      zip.end()
      await Promise.race([written, failed])
      const done = await open(path, 'r')
      await done.sync().finally(() => done.close())
    },
    /** After a failure: nothing is written any more. */
    abandon(): void {
      file.destroy()
    },
  }
}
