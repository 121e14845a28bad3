/** A download that is written as a whole before its first byte is sent: what fails on the way is an answer that says so, never half a file. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

const GATHERED = 65_536

async function* gathered(text: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = ''
  for await (const part of text) {
    waiting += part
    if (waiting.length < GATHERED) continue
    yield waiting
    waiting = ''
  }
  if (waiting !== '') yield waiting
}

/** Throws what `text` throws. The file has no name, so that nothing of it stays behind whatever happens. */
export async function spooledDownload(text: AsyncIterable<string>, headers: Record<string, string>): Promise<Response> {
  const folder = await mkdtemp(join(tmpdir(), 'download-'))
  const file = await open(join(folder, 'text'), 'wx+', 0o600).finally(() => rm(folder, { recursive: true, force: true }))
  try {
    await file.writeFile(gathered(text))
    const body = Readable.toWeb(file.createReadStream({ start: 0 })) as ReadableStream<Uint8Array<ArrayBuffer>>
    return new Response(body, { headers: { ...headers, 'Cache-Control': 'no-store' } })
  } catch (error) {
    await file.close()
    throw error
  }
}
