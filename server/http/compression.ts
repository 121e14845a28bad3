import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

export type Encoding = 'br' | 'gzip' | 'identity'

const MIN_BYTES = 1000
const isText = /^(?:text\/(?!event-stream)|application\/(?:json|manifest|xml|ld)|image\/svg)/
const encodingsByHeader = new LRUCache<string, readonly Encoding[]>({ max: 100 })

export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (!header) return ['identity']
  const cached = encodingsByHeader.get(header)
  if (cached) return cached
  const preferred = ['br', 'gzip'] as const
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const accepted = negotiator.encodings([...preferred])
  const encodings: Encoding[] = [...preferred.filter((name) => accepted.includes(name)), 'identity']
  if (header.length <= 200) encodingsByHeader.set(header, encodings)
  return encodings
}

export function compress(
  bytes: Uint8Array,
  encoding: Exclude<Encoding, 'identity'>,
  quality: 0 | 5,
): Promise<Buffer<ArrayBuffer>> {
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: quality + 1 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    // The default window would take megabytes per response.
    [constants.BROTLI_PARAM_LGWIN]: 18,
  }
  return promisify(brotliCompress)(bytes, { params })
}

export async function compressResponse(response: Response, accepted: string | undefined) {
  const { status, headers, body } = response
  if (
    body === null ||
    headers.has('Content-Encoding') ||
    !isText.test(headers.get('Content-Type') ?? '')
  ) {
    return response
  }
  // A download is not compressed, because it may not fit into memory.
  if (headers.has('Content-Disposition')) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  headers.append('Vary', 'Accept-Encoding')
  headers.delete('Content-Length')
  const encoding = acceptedEncodings(accepted)[0]!
  if (encoding === 'identity' || bytes.length < MIN_BYTES) {
    return new Response(bytes, { status, headers })
  }
  headers.set('Content-Encoding', encoding)
  return new Response(await compress(bytes, encoding, 0), { status, headers })
}
