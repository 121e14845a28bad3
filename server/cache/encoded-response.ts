import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import fresh from 'fresh'
import { acceptedEncodings, compress, type Encoding } from '../http/compression.ts'

type Variant = { body: Buffer; etag: string; headers: string[]; notModifiedHeaders: string[] }
export type CachedResponse = {
  status: number
  variants: Partial<Record<Encoding, Variant>> & { identity: Variant }
  bytes: number
}

const MIN_COMPRESSED_BYTES = 500
const INLINE_SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

export async function encodeResponse(
  response: Response,
  {
    cacheControl,
    vary,
    brotli,
  }: { cacheControl: string; vary: string; brotli?: Buffer | undefined },
) {
  if (response.headers.has('Set-Cookie')) return null
  const headers = new Headers(response.headers)
  for (const name of ['Content-Length', 'ETag', 'Last-Modified']) headers.delete(name)
  if (response.status === 200) headers.set('Cache-Control', cacheControl)
  headers.set('Vary', vary)
  const body = Buffer.from(await response.arrayBuffer())
  const type = headers.get('Content-Type') ?? ''
  if (type.startsWith('text/html')) {
    const policy = policyWithHashes(body.toString(), headers.get('Content-Security-Policy') ?? '')
    if (policy === null) return null
    headers.set('Content-Security-Policy', policy)
  }
  const shared = [...headers].flat()
  const variants: CachedResponse['variants'] = { identity: toVariant(body, shared, 'identity') }
  if (body.length >= MIN_COMPRESSED_BYTES && !type.startsWith('font/')) {
    const [br, gzip] = await Promise.all([
      brotli ?? compress(body, 'br', 5),
      compress(body, 'gzip', 5),
    ])
    variants.br = toVariant(br, shared, 'br')
    variants.gzip = toVariant(gzip, shared, 'gzip')
  }
  const sizes = Object.values(variants).map((variant) => variant.body.length + 1500)
  const bytes = sizes.reduce((sum, size) => sum + size)
  return { status: response.status, variants, bytes }
}

function toVariant(bytes: Buffer, shared: string[], encoding: Encoding) {
  // zlib's slice would keep a larger buffer in memory.
  const body =
    bytes.length === bytes.buffer.byteLength ? bytes : Buffer.from(new Uint8Array(bytes).buffer)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const encoded = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
  return {
    body,
    etag,
    headers: [...shared, ...encoded, 'ETag', etag, 'Content-Length', String(body.length)],
    notModifiedHeaders: [...withoutHeader(shared, 'content-type'), 'ETag', etag],
  }
}

/** A cached page has hashes instead of a nonce, which would not protect several visitors. */
export function policyWithHashes(html: string, policy: string) {
  const nonce = /'nonce-([A-Za-z0-9+/=]{16,})'/.exec(policy)?.[1]
  if (nonce === undefined) return null
  const hashes = new Set<string>()
  for (const [, attributes = '', script = ''] of html.matchAll(INLINE_SCRIPT)) {
    if (attributes.includes(` nonce="${nonce}"`) && !/\ssrc=/.test(attributes)) {
      hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    }
  }
  return policy.replaceAll(`'nonce-${nonce}'`, [...hashes].join(' '))
}

export function sendCached(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  cached: CachedResponse,
  override: readonly [name: string, value: string] | readonly [] = [],
) {
  const { status, body, headers } = selectVariant(incoming, cached)
  const [name] = override
  const others = name === undefined ? headers : withoutHeader(headers, name.toLowerCase())
  outgoing.writeHead(status, [...others, ...override]).end(body)
}

export function toResponse(incoming: IncomingMessage, cached: CachedResponse) {
  const { status, body, headers } = selectVariant(incoming, cached)
  const pairs = headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1]!]] : [],
  )
  return new Response(body as Buffer<ArrayBuffer> | null, { status, headers: pairs })
}

function selectVariant(
  { headers: requestHeaders }: IncomingMessage,
  { status, variants }: CachedResponse,
) {
  const accepted = acceptedEncodings(requestHeaders['accept-encoding'])
  const { body, etag, headers, notModifiedHeaders } =
    variants[accepted.find((encoding) => variants[encoding])!]!
  const isUnchanged =
    status === 200 &&
    requestHeaders['if-none-match'] !== undefined &&
    fresh(requestHeaders, { etag })
  return isUnchanged
    ? { status: 304, body: null, headers: notModifiedHeaders }
    : { status, body, headers }
}

const withoutHeader = (headers: string[], name: string) =>
  headers.filter((_, index) => headers[index - (index % 2)]!.toLowerCase() !== name)
