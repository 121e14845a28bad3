/** Pages as they are sent: packed by the best way that the browser takes. Made for one answer and thrown away, so it must be quick (040). */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import Negotiator from 'negotiator'
import type { Kept, Packed } from '../app/platform/whole-text.server.ts'

/** Smaller ones fit into one packet anyway. */
const WORTH_IT = 1024

/** On a page of the gallery (137 kB): gzip 3 0.86 ms and 25.3 kB, Brotli 2 0.60 ms and 20.3 kB, Zstandard 3 0.31 ms and 19.8 kB. */
const ways = {
  // One piece in and one out, and a table no larger than the page: a quarter less work.
  zstd: (text: string) => {
    const page = Buffer.from(text)
    const params = { [constants.ZSTD_c_compressionLevel]: 3 }
    return promisify(zstdCompress)(page, { params, chunkSize: 65_536, pledgedSrcSize: page.length })
  },
  br: (text: string) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 2,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        // The usual window would take megabytes for each answer under way.
        [constants.BROTLI_PARAM_LGWIN]: 18,
      },
    }),
  gzip: (text: string) => promisify(gzip)(text, { level: 3 }),
}
const names = Object.keys(ways) as (keyof typeof ways)[]

/** `accepted`: the request's Accept-Encoding; what is kept was packed for the same. */
export async function packed({ sheet, whenPacked }: Kept, { status, headers }: Response, accepted: string | undefined): Promise<Response> {
  const { bytes, encoding } = sheet.packed ?? (await pack(sheet.text, headers.has('Content-Encoding') ? undefined : accepted))
  if (sheet.packed === null) whenPacked({ bytes, encoding })
  headers.append('Vary', 'Accept-Encoding')
  if (encoding !== null) headers.set('Content-Encoding', encoding)
  return new Response(bytes, { status, headers })
}

async function pack(text: string, accepted: string | undefined): Promise<Packed> {
  const taken = new Negotiator({ headers: { 'accept-encoding': accepted ?? 'identity' } }).encodings(names)
  const encoding = names.find((name) => taken.includes(name))
  if (!encoding || text.length < WORTH_IT) return { bytes: new TextEncoder().encode(text), encoding: null }
  return { bytes: await ways[encoding](text), encoding }
}
