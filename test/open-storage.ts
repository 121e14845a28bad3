/** A server that speaks S3, with one bucket in memory, and how a shop reaches it. It works out each signature by itself and refuses what does not match. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { readStorageAddress, type StorageAddress } from '#app/platform/storage-address.ts'
import type { AtTheEnd } from './open-process.ts'
import { STAYS } from './listen.ts'

type Mood = 'well' | 'hanging' | 'breaking off' | 'unwell'
type Stored = { bytes: Buffer; at: Date }

const BUCKET = 'pictures'
const KEY = 'storage-key'
const SECRET = 'storage/secret+1'
/** How many names one page of a list holds. */
const PAGE = 1000

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** What is wrong with how a request is signed (AWS Signature Version 4), as the name of S3's refusal; null: nothing. */
function faultOfSignature(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[\w-]+\/s3\/aws4_request), ?SignedHeaders=([\w;-]+), ?Signature=(\w{64})$/
  const [, key, scope, names, signature] = pattern.exec(request.headers.authorization ?? '') ?? []
  if (!key || !scope || !names) return 'AccessDenied'
  if (key !== KEY) return 'InvalidAccessKeyId'
  const time = String(request.headers['x-amz-date'])
  const sentAt = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (!(Math.abs(Date.now() - sentAt) < 15 * 60_000)) return 'RequestTimeTooSkewed'
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.split(';').includes(name))) return 'AccessDenied'
  const digest = String(request.headers['x-amz-content-sha256'])
  if (digest !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted()
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = [request.method, url.pathname, query.join('&'), headers.join(''), names, digest].join('\n')
  const signingKey = scope.split('/').reduce<Buffer | string>((last, part) => hmac(last, part), `AWS4${SECRET}`)
  const expected = hmac(signingKey, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex')
  return expected === signature ? null : 'SignatureDoesNotMatch'
}

type Answer = { status: number; body?: Buffer | string }
const refusals: Record<string, number> = {
  NoSuchBucket: 404,
  NoSuchKey: 404,
  MissingContentLength: 411,
  MethodNotAllowed: 405,
  XAmzContentSHA256Mismatch: 400,
}
const refuse = (code: string): Answer => ({
  status: refusals[code] ?? 403,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>It is so.</Message></Error>`,
})
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`)

/** The names that begin with the prefix, in order; a page ends with where the next one begins. */
function listOf(objects: Map<string, Stored>, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? ''
  const names = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '') && name > after.slice(1)).toSorted()
  const page = names.slice(0, PAGE)
  const entries = page.map((name) => {
    const { bytes, at } = objects.get(name)!
    return `<Contents><Key>${escaped(name)}</Key><LastModified>${at.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  // The first sign would be lost by a client that does not undo the escaping.
  const next = names.length > PAGE ? `<NextContinuationToken>${escaped(`&${page.at(-1)}`)}</NextContinuationToken>` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult>${next}${entries.join('\n')}</ListBucketResult>`
}

/** `atTheEnd`: of the test, unless several tests share it. */
export async function openStorage(atTheEnd: AtTheEnd = onTestFinished) {
  const objects = new Map<string, Stored>()
  const state = { mood: 'well' as Mood, requests: [] as string[], /** how many requests fail before it is well again */ unwellFor: 0 }

  function answerTo(request: IncomingMessage, body: Buffer): Answer {
    const url = new URL(request.url!, 'http://storage')
    const fault = faultOfSignature(request, url, body)
    if (fault) return refuse(fault)
    const [, bucket, ...rest] = url.pathname.split('/')
    const name = decodeURIComponent(rest.join('/'))
    if (bucket !== BUCKET) return refuse('NoSuchBucket')
    if (request.method === 'GET' && name === '') return { status: 200, body: listOf(objects, url.searchParams) }
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) return refuse('MissingContentLength')
      objects.set(name, { bytes: body, at: new Date() })
      return { status: 200 }
    }
    if (request.method === 'DELETE') {
      objects.delete(name)
      return { status: 204 }
    }
    if (request.method !== 'GET') return refuse('MethodNotAllowed')
    const found = objects.get(name)
    return found ? { status: 200, body: found.bytes } : refuse('NoSuchKey')
  }

  const server = createServer({ keepAliveTimeout: STAYS }, async (request, response) => {
    state.requests.push(`${request.method} ${request.url}`)
    if (state.mood === 'hanging') return
    if (state.mood === 'unwell' || state.unwellFor-- > 0) return void response.writeHead(503).end()
    if (state.mood === 'breaking off' && request.method === 'GET') {
      response.writeHead(200, { 'Content-Length': 1000 })
      return void response.write('only a beginning', () => response.destroy())
    }
    const { status, body = '' } = answerTo(request, await buffer(request))
    response.writeHead(status, status === 204 ? {} : { 'Content-Length': Buffer.byteLength(body) }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urlOf = ({ key = KEY, secret = SECRET, place = `${BUCKET}/shop` } = {}) =>
    `s3://${key}:${encodeURIComponent(secret)}@${place}?endpoint=${endpoint}`
  async function stop() {
    const closed = once(server, 'close')
    server.close()
    // The client keeps its connections for the next question.
    server.closeAllConnections()
    await closed
  }
  atTheEnd(async () => {
    if (server.listening) await stop()
  })
  return { state, stop, urlOf, url: urlOf(), address: readStorageAddress(urlOf()) as StorageAddress }
}
