/** What an archive holds, read by another library than the one that writes it. */
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { fromBuffer, type Entry, type Options, type ZipFile } from 'yauzl'

const open = promisify<Buffer, Options, ZipFile>(fromBuffer)

/** By name, in the order of the archive; fails for one that is not whole. */
export async function unzipped(response: Response): Promise<Map<string, Buffer>> {
  const zip = await open(Buffer.from(await response.arrayBuffer()), { lazyEntries: true })
  const found = new Map<string, Buffer>()
  return new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', () => resolve(found))
    zip.on('entry', (entry: Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        buffer(stream).then((bytes) => {
          found.set(entry.fileName, bytes)
          zip.readEntry()
        }, reject)
      }),
    )
    zip.readEntry()
  })
}
