/** One answer of the shop, packed to be sent many times: its forms, each with its head and its strong ETag (039). */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './accepted-encoding.ts'
import { withHashes } from './script-hashes.ts'

const pack = promisify(gzip)
const packSmaller = promisify(brotliCompress)

/** A form of it: `head` and `unchangedHead` (304) are names and values in turn, as `writeHead` takes them. */
export type Form = { body: Buffer; etag: string; head: string[]; unchangedHead: string[] }

/** The same, for a CDN that may keep it. */
export function forCdn({ head, unchangedHead, ...form }: Form, caching: string, mark: readonly string[]): Form {
  const marked = (names: string[]) => [...without(names, ['cache-control']), 'Cache-Control', caching, ...mark]
  return { ...form, head: marked(head), unchangedHead: marked(unchangedHead) }
}

export type ReadyPage = {
  status: number
  forms: Partial<Record<Encoding, Form>> & { identity: Form }
  /** about what it takes in memory */
  bytes: number
}

/** Told anew for each form. */
const ofForm = ['content-length', 'content-encoding', 'etag', 'vary', 'accept-ranges', 'last-modified']
/** Too small to become smaller. */
const LEAST = 500
/** Packed by its nature. */
const isPacked = (headers: Headers) => headers.get('content-type')?.startsWith('font/') ?? false
/** On the gallery's page (160 kB): gzip 5 to 9 ms and 31.0 kB; Brotli 5 3 ms and 25.9 kB, 9 16 ms and 25.1 kB, 11 a second and 23.2 kB. */
const QUALITY = 5

/**
 * null: this answer is for one person, or nothing that many may share. Every answer of a page's address depends on the cookies, also where
 * what is kept is for those who have none. `brotli`: that form, where it is there already.
 */
export async function packPage(
  response: Response,
  caching: string,
  { vary = 'Accept-Encoding, Cookie', brotli = null as Buffer | null } = {},
): Promise<ReadyPage | null> {
  if (response.headers.has('set-cookie')) return null
  const headers = new Headers(response.headers)
  for (const name of ofForm) headers.delete(name)
  if (response.status === 200) headers.set('cache-control', caching)
  let body = Buffer.from(await response.arrayBuffer())
  if (headers.get('content-type')?.startsWith('text/html')) {
    const page = withHashes(body.toString(), headers.get('content-security-policy') ?? '')
    if (!page) return null
    headers.set('content-security-policy', page.policy)
    body = Buffer.from(page.html)
  }
  headers.set('vary', vary)
  const shared = [...headers].flat()
  const identity = formOf(body, shared, 'identity')
  const isWorthIt = body.length >= LEAST && !isPacked(headers)
  const forms = isWorthIt ? { identity, ...(await packed(body, shared, brotli)) } : { identity }
  const bytes = Object.values(forms).reduce((sum, form) => sum + form.body.length + 1500, 0)
  return { status: response.status, forms, bytes }
}

async function packed(body: Buffer, shared: string[], brotli: Buffer | null) {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }
  const [gzipped, smaller] = await Promise.all([pack(body), brotli ?? packSmaller(body, options)])
  return { gzip: formOf(gzipped, shared, 'gzip'), br: formOf(smaller, shared, 'br') }
}

/** `sent`: packing cuts its bytes out of 64 kB, which would stay in memory with them; what stands alone is not doubled. */
export function formOf(sent: Buffer, shared: string[], encoding: Encoding): Form {
  const body = sent.length === sent.buffer.byteLength ? sent : Buffer.from(new Uint8Array(sent).buffer)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const own = ['ETag', etag, 'Content-Length', String(body.length)]
  const coded = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
  const unchangedHead = [...without(shared, ['content-type']), ...own.slice(0, 2)]
  return { body, etag, head: [...shared, ...coded, ...own], unchangedHead }
}

const without = (head: string[], names: string[]): string[] => head.filter((_, at) => !names.includes(head[at - (at % 2)]!.toLowerCase()))
