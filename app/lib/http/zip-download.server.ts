import { finished } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Log } from '#app/lib/telemetry/log.server.ts'

export type ZipEntry = {
  path: string
  content: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
  isPacked?: boolean
}

/** Streams a zip file. A failure aborts the download, so that the browser reports an error instead of storing an incomplete file. */
export function zipDownload(
  entries: AsyncIterable<ZipEntry>,
  fileName: string,
  { log, now }: { log: Log; now: () => number },
): Response {
  const zip = new ZipFile()
  // yazl declares `outputStream` with a type that lacks methods of the real stream.
  const out = zip.outputStream as Readable
  const broken = new AbortController()
  out.once('close', () => broken.abort())
  const fail = (error: unknown) => {
    // A destroyed stream means that the client has disconnected, so nothing failed on the server.
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
  return new Response(Readable.toWeb(out) as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    },
  })
}
