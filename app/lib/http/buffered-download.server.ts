/** Builds a download completely before its first byte is sent. So the browser shows an error after a failure and never stores an incomplete file. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

const CHUNK_LENGTH = 65_536

async function* inChunks(text: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = ''
  for await (const part of text) {
    waiting += part
    if (waiting.length < CHUNK_LENGTH) continue
    yield waiting
    waiting = ''
  }
  if (waiting !== '') yield waiting
}

/** Writes `text` to a temporary file. Throws if reading `text` throws. The file is unlinked while it is open, so that the operating system deletes it in any case. */
export async function bufferedDownload(
  text: AsyncIterable<string>,
  headers: Record<string, string>,
): Promise<Response> {
  const folder = await mkdtemp(join(tmpdir(), 'download-'))
  const file = await open(join(folder, 'text'), 'wx+', 0o600).finally(() =>
    rm(folder, { recursive: true, force: true }),
  )
  try {
    await file.writeFile(inChunks(text))
    const body = Readable.toWeb(file.createReadStream({ start: 0 })) as ReadableStream<
      Uint8Array<ArrayBuffer>
    >
    return new Response(body, { headers: { ...headers, 'Cache-Control': 'no-store' } })
  } catch (error) {
    await file.close()
    throw error
  }
}
