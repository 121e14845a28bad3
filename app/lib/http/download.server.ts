import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Log } from '../telemetry/log.server.ts'

export const downloadResponse = (
  content: Readable,
  type: string,
  fileName: string | null,
  headers?: Record<string, string>,
) =>
  new Response(Readable.toWeb(content) as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: {
      ...headers,
      'Content-Type': type,
      'Cache-Control': 'no-store',
      ...(fileName !== null && { 'Content-Disposition': `attachment; filename="${fileName}"` }),
    },
  })

export type ZipEntry = {
  path: string
  content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  isPacked?: boolean
}

export function zipDownload(
  entries: AsyncIterable<ZipEntry>,
  fileName: string,
  { log, now }: { log: Log; now: () => number },
) {
  const zip = new ZipFile()
  // yazl's type lacks methods of the real stream.
  const out = zip.outputStream as Readable
  const broken = new AbortController()
  out.once('close', () => broken.abort())
  const fail = (error: unknown) => {
    if (!out.destroyed) log.error('a download was interrupted', error, { fileName })
    out.destroy(error instanceof Error ? error : undefined)
  }
  zip.once('error', fail)

  async function pack() {
    for await (const { path, content, isPacked = false } of entries) {
      const stream = Readable.from(content, { objectMode: false })
      zip.addReadStream(stream, path, { mtime: new Date(now()), compress: !isPacked })
      await finished(stream, { signal: broken.signal }).catch((error: unknown) => {
        stream.destroy()
        throw error
      })
    }
    zip.end()
  }
  void pack().catch(fail)
  return downloadResponse(out, 'application/zip', fileName)
}

/** Reads the whole text first, so that the browser stores no incomplete file after a failure. */
export async function bufferedDownload(
  text: AsyncIterable<string>,
  type: string,
  fileName: string | null,
) {
  const folder = await mkdtemp(join(tmpdir(), 'download-'))
  const file = await open(join(folder, 'text'), 'wx+', 0o600).finally(() =>
    rm(folder, { recursive: true, force: true }),
  )
  try {
    await file.writeFile(inChunks(text))
    return downloadResponse(file.createReadStream({ start: 0 }), type, fileName)
  } catch (error) {
    await file.close()
    throw error
  }
}

const CHUNK_LENGTH = 65_536

async function* inChunks(text: AsyncIterable<string>) {
  let waiting = ''
  for await (const part of text) {
    waiting += part
    if (waiting.length < CHUNK_LENGTH) continue
    yield waiting
    waiting = ''
  }
  if (waiting !== '') yield waiting
}
