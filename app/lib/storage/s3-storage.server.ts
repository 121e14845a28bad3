import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { isStoredPath, type FileStorage, type StoredFile } from './storage.server.ts'
import { isOutage } from '../telemetry/outages.server.ts'
import { contentTypeOf } from '../images/content-type.ts'
import type { StorageLocation } from '../config/storage-url.ts'

/** In ms. `operation` and `upload` limit all attempts together, `silence` each attempt. [S-140] */
const limits = {
  operation: 120_000,
  upload: 600_000,
  reading: { attempts: 3, silence: 5000 },
  writing: { attempts: 10, silence: 30_000 },
}
export type StorageTimeouts = typeof limits

/** Extends `silence` for large uploads, because the storage sends nothing during an upload. */
const MIN_UPLOAD_BYTES_PER_MS = 20
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 20_000

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

type S3Request = {
  method?: 'GET' | 'PUT' | 'DELETE'
  key?: string
  query?: Record<string, string>
  body?: Uint8Array
  type?: string | null
}

export function createS3Storage(
  address: StorageLocation,
  timeouts: StorageTimeouts = limits,
): FileStorage {
  const send = createSender(address)
  const keyOf = (path: string) => {
    if (!isStoredPath(path)) throw new Error('not a path of a stored file')
    return address.folder + path
  }
  const deadline = () => AbortSignal.timeout(timeouts.operation)

  return {
    async put(path, body) {
      const request = { method: 'PUT', key: keyOf(path), body, type: contentTypeOf(path) } as const
      await send(request, timeouts.writing, AbortSignal.timeout(timeouts.upload))
    },
    async read(path) {
      if (!isStoredPath(path)) return null
      try {
        return new Uint8Array(await send({ key: keyOf(path) }, timeouts.reading, deadline()))
      } catch (error) {
        if (error instanceof StorageError && error.code === 'NoSuchKey') return null
        throw error
      }
    },
    async delete(path) {
      await send({ method: 'DELETE', key: keyOf(path) }, timeouts.writing, deadline())
    },
    async list(begin = '') {
      const signal = deadline()
      const files: StoredFile[] = []
      for (let token = ''; ;) {
        const query = {
          'list-type': '2',
          prefix: address.folder + begin,
          ...(token && { 'continuation-token': token }),
        }
        const xml = String(await send({ query }, timeouts.writing, signal))
        for (const [entry] of xml.matchAll(/<Contents>.*?<\/Contents>/gs)) {
          const path = valueOf(entry, 'Key').slice(address.folder.length)
          const changedAt = Date.parse(valueOf(entry, 'LastModified')) || 0
          const size = Number(valueOf(entry, 'Size'))
          if (isStoredPath(path)) files.push({ path, changedAt, size })
        }
        token = valueOf(xml, 'NextContinuationToken')
        if (!token) return files
      }
    },
  }
}

function createSender(address: StorageLocation) {
  const client = createClient(address)
  const bucketUrl = bucketUrlOf(address, client.region!)

  async function sendOnce(
    { method = 'GET', key = '', query, body, type }: S3Request,
    silence: number,
    deadline: AbortSignal,
  ) {
    const silent = new AbortController()
    const giveUp = () => silent.abort(new DOMException('the storage timed out', 'TimeoutError'))
    const timer = setTimeout(giveUp, silence + (body?.length ?? 0) / MIN_UPLOAD_BYTES_PER_MS)
    try {
      const request = await client.sign(
        `${bucketUrl}/${key}${query ? `?${new URLSearchParams(query)}` : ''}`,
        {
          method,
          headers: {
            'X-Amz-Content-Sha256': sha256(body ?? ''),
            ...(type && { 'Content-Type': type }),
          },
          ...(body && { body: new Uint8Array(body) }),
        },
      )
      const response = await fetch(request, {
        redirect: 'manual',
        signal: AbortSignal.any([deadline, silent.signal]),
      })
      const chunks: Uint8Array[] = []
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk)
        timer.refresh()
      }
      const bytes = Buffer.concat(chunks)
      if (!response.ok) throw new StorageError(response.status, bytes.toString())
      return bytes
    } catch (error) {
      throw error instanceof TypeError && error.cause ? error.cause : error
    } finally {
      clearTimeout(timer)
    }
  }

  return async (
    request: S3Request,
    { attempts, silence }: StorageTimeouts['reading'],
    deadline: AbortSignal,
  ) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(request, silence, deadline)
      } catch (error) {
        if (attempt === attempts || deadline.aborted || !isOutage(error)) throw error
        const maxPauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
        await pause(Math.random() * maxPauseMs, undefined, { signal: deadline })
      }
    }
  }
}

function createClient({ credentials, region, endpoint }: StorageLocation) {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION } = process.env
  const place = region || AWS_REGION || (endpoint && 'us-east-1')
  if (!place) throw new Error('STORAGE_URL has no region, and AWS_REGION is not set')
  if (credentials) return new AwsClient({ ...credentials, service: 's3', region: place })
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new Error(
      'STORAGE_URL has no key, and none is found in the environment (AWS_ACCESS_KEY_ID)',
    )
  }
  return new AwsClient({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    service: 's3',
    region: place,
  })
}

/** Amazon's certificate of a bucket's host is invalid if the name has a dot. */
function bucketUrlOf({ endpoint, bucket }: StorageLocation, region: string) {
  if (endpoint) return `${endpoint}/${bucket}`
  return bucket.includes('.')
    ? `https://s3.${region}.amazonaws.com/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

const valueOf = (xml: string, name: string) =>
  unescapeXml(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '')

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescapeXml = (text: string) =>
  text.replace(/&(?:#(x?)([\da-f]+)|(\w+));/gi, (entity, hex, number, name) =>
    name
      ? (entities[name] ?? entity)
      : String.fromCodePoint(Number.parseInt(number, hex ? 16 : 10)),
  )
