import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { isStoredPath, type Files, type StoredFile } from './files.server.ts'
import { isOutage } from './outage.server.ts'
import { pictureTypeOf } from './picture-types.ts'
import type { StorageAddress } from './storage-address.ts'

/** S-140, milliseconds: how long an operation and an upload may take with all their tries, and how long the storage may be silent in each try. */
const limits = {
  operation: 120_000,
  upload: 600_000,
  /** A visitor waits for a picture: a storage that hangs is told so while the page is still looked at. */
  reading: { attempts: 3, silence: 5000 },
  writing: { attempts: 10, silence: 30_000 },
}
export type StoragePatience = typeof limits

/** Bytes per millisecond: while it takes an upload the storage says nothing, so a large one may be silent for longer. */
const SLOWEST_UPLOAD = 20
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 20_000

class StorageError extends Error {
  override name = 'StorageError'
  code: string
  httpStatus: number
  constructor(httpStatus: number, xml: string) {
    const code = valueOf(xml, 'Code') || `HTTP ${httpStatus}`
    super(`${code}: ${valueOf(xml, 'Message')}`)
    this.code = code
    this.httpStatus = httpStatus
  }
}

type Question = { method?: 'GET' | 'PUT' | 'DELETE'; key?: string; query?: Record<string, string>; body?: Uint8Array; type?: string | null }

/** An object is there whole or not at all, and when `put` returns the storage has it for good. */
export function s3Files(address: StorageAddress, patience: StoragePatience = limits): Files {
  const client = openClient(address)
  const bucketUrl = bucketUrlOf(address, client.region!)
  const keyOf = (path: string) => {
    if (!isStoredPath(path)) throw new Error('not a path of a stored file')
    return address.folder + path
  }

  async function sendOnce({ method = 'GET', key = '', query, body, type }: Question, silence: number, whole: AbortSignal): Promise<Buffer> {
    const silent = new AbortController()
    const giveUp = () => silent.abort(new DOMException('the storage timed out', 'TimeoutError'))
    const timer = setTimeout(giveUp, silence + (body?.length ?? 0) / SLOWEST_UPLOAD)
    try {
      const request = await client.sign(`${bucketUrl}/${key}${query ? `?${new URLSearchParams(query)}` : ''}`, {
        method,
        headers: { 'X-Amz-Content-Sha256': sha256(body ?? ''), ...(type && { 'Content-Type': type }) },
        ...(body && { body: new Uint8Array(body) }),
      })
      const response = await fetch(request, { redirect: 'manual', signal: AbortSignal.any([whole, silent.signal]) })
      const chunks: Uint8Array[] = []
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk)
        timer.refresh()
      }
      const bytes = Buffer.concat(chunks)
      if (!response.ok) throw new StorageError(response.status, bytes.toString())
      return bytes
    } catch (error) {
      // `fetch` hides what went wrong on the network behind a TypeError.
      throw error instanceof TypeError && error.cause ? error.cause : error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Tries again what may pass by itself, after growing pauses. */
  async function send(question: Question, { attempts, silence }: StoragePatience['reading'], whole: AbortSignal): Promise<Buffer> {
    for (let attempt = 1; ; attempt++)
      try {
        return await sendOnce(question, silence, whole)
      } catch (error) {
        if (attempt === attempts || whole.aborted || !isOutage(error)) throw error
        await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt), undefined, { signal: whole })
      }
  }

  return {
    async put(path, bytes) {
      const question = { method: 'PUT', key: keyOf(path), body: bytes, type: pictureTypeOf(path) } as const
      await send(question, patience.writing, AbortSignal.timeout(patience.upload))
    },
    async read(path) {
      if (!isStoredPath(path)) return null
      try {
        return new Uint8Array(await send({ key: keyOf(path) }, patience.reading, AbortSignal.timeout(patience.operation)))
      } catch (error) {
        // Only a missing object is "no such file": a missing bucket is a failure.
        if (error instanceof StorageError && error.code === 'NoSuchKey') return null
        throw error
      }
    },
    async delete(path) {
      await send({ method: 'DELETE', key: keyOf(path) }, patience.writing, AbortSignal.timeout(patience.operation))
    },
    async list(begin = '') {
      const whole = AbortSignal.timeout(patience.operation)
      const found: StoredFile[] = []
      for (let token = ''; ;) {
        const query = { 'list-type': '2', prefix: address.folder + begin, ...(token && { 'continuation-token': token }) }
        const xml = String(await send({ query }, patience.writing, whole))
        for (const [entry] of xml.matchAll(/<Contents>.*?<\/Contents>/gs)) {
          const path = valueOf(entry, 'Key').slice(address.folder.length)
          const changedAt = Date.parse(valueOf(entry, 'LastModified')) || 0
          if (isStoredPath(path)) found.push({ path, changedAt, size: Number(valueOf(entry, 'Size')) })
        }
        token = valueOf(xml, 'NextContinuationToken')
        if (!token) return found
      }
    },
  }
}

/** Signs requests; without a key in the address, with the one that AWS's own tools read from the environment. */
function openClient({ credentials, region, endpoint }: StorageAddress): AwsClient {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION } = process.env
  const place = region || AWS_REGION || (endpoint && 'us-east-1')
  if (!place) throw new Error('FILES_URL has no region, and AWS_REGION is not set')
  if (credentials) return new AwsClient({ ...credentials, service: 's3', region: place })
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error('FILES_URL has no key, and none is found in the environment (AWS_ACCESS_KEY_ID)')
  return new AwsClient({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    service: 's3',
    region: place,
  })
}

/** Amazon gives each bucket a host of its own, whose certificate covers no dots; others have one host for all buckets. */
function bucketUrlOf({ endpoint, bucket }: StorageAddress, region: string): string {
  if (endpoint) return `${endpoint}/${bucket}`
  return bucket.includes('.') ? `https://s3.${region}.amazonaws.com/${bucket}` : `https://${bucket}.s3.${region}.amazonaws.com`
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

const valueOf = (xml: string, name: string): string => unescapeXml(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescapeXml = (text: string): string =>
  text.replace(/&(?:#(x?)([\da-f]+)|(\w+));/gi, (whole, hex, number, name) =>
    name ? (entities[name] ?? whole) : String.fromCodePoint(Number.parseInt(number, hex ? 16 : 10)),
  )
