import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

export type Encoding = 'br' | 'gzip' | 'identity'

/** A text with fewer bytes is not compressed, because it fits into one network packet anyway. */
const MIN_BYTES = 1000
const isText = /^(?:text\/(?!event-stream)|application\/(?:json|manifest|xml|ld)|image\/svg)/
/** Parsed headers are cached, because browsers send only few different headers. */
const parsed = new LRUCache<string, readonly Encoding[]>({ max: 100 })

/** Returns the encodings that a client accepts, the best first. A client that accepts none gets uncompressed bytes. */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (!header) return ['identity']
  const known = parsed.get(header)
  if (known) return known
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([
    'br',
    'gzip',
  ])
  const encodings: Encoding[] = [
    ...(['br', 'gzip'] as const).filter((one) => accepted.includes(one)),
    'identity',
  ]
  if (header.length <= 200) parsed.set(header, encodings)
  return encodings
}

/** Compresses bytes. Use quality 5 for cached responses, and the faster quality 0 for responses that are sent only once. */
export function compress(
  bytes: Uint8Array,
  encoding: Exclude<Encoding, 'identity'>,
  quality: 0 | 5,
): Promise<Buffer<ArrayBuffer>> {
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: quality + 1 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    // With its default window, Brotli would use megabytes of memory per response.
    [constants.BROTLI_PARAM_LGWIN]: 18,
  }
  return promisify(brotliCompress)(bytes, { params })
}

export async function compressResponse(
  response: Response,
  accepted: string | undefined,
): Promise<Response> {
  const { status, headers, body } = response
  if (
    body === null ||
    headers.has('Content-Encoding') ||
    !isText.test(headers.get('Content-Type') ?? '')
  )
    return response
  // A download is not compressed, because the whole file may not fit into the memory.
  if (headers.has('Content-Disposition')) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  headers.append('Vary', 'Accept-Encoding')
  headers.delete('Content-Length')
  const encoding = acceptedEncodings(accepted)[0]!
  if (encoding === 'identity' || bytes.length < MIN_BYTES)
    return new Response(bytes, { status, headers })
  headers.set('Content-Encoding', encoding)
  return new Response(await compress(bytes, encoding, 0), { status, headers })
}
