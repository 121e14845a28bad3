/** Stored files in an S3-compatible storage. Loaded only where FILES_URL asks for it: the client weighs more than the shop. */
import { addAbortSignal, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { isStoredPath, type Files, type StoredFile } from './files.server.ts'
import { pictureTypeOf } from './picture-types.ts'
import type { StorageAddress } from './storage-address.ts'

/** S-140: how long an operation and an upload may take with all their tries; the client itself waits longer after each try. */
const limits = {
  operation: 120_000,
  upload: 600_000,
  /** A visitor waits for a picture: a storage that hangs is told so while the page is still looked at. */
  reading: { attempts: 3, silence: 5000 },
  writing: { attempts: 10, silence: 30_000 },
}
export type StoragePatience = typeof limits

/** An object is there whole or not at all, and when `put` returns the storage has it for good. */
export function s3Files(address: StorageAddress, patience: StoragePatience = limits): Files {
  const reader = new S3Client(settingsFor(address, patience.reading))
  const writer = new S3Client(settingsFor(address, patience.writing))
  const Bucket = address.bucket
  const keyOf = (path: string) => {
    if (!isStoredPath(path)) throw new Error('not a path of a stored file')
    return address.folder + path
  }
  const within = (time: number) => ({ abortSignal: AbortSignal.timeout(time) })
  return {
    async put(path, bytes) {
      const upload = new PutObjectCommand({ Bucket, Key: keyOf(path), Body: bytes, ContentType: pictureTypeOf(path) ?? undefined })
      await writer.send(upload, within(patience.upload))
    },
    async read(path) {
      if (!isStoredPath(path)) return null
      const { abortSignal } = within(patience.operation)
      const found = await reader.send(new GetObjectCommand({ Bucket, Key: keyOf(path) }), { abortSignal }).catch((error: unknown) => {
        // Only a missing object is "no such file": a missing bucket is a failure.
        if (error instanceof NoSuchKey) return null
        throw error
      })
      if (!found) return null
      const bytes = await buffer(addAbortSignal(abortSignal, found.Body as Readable))
      if (found.ContentLength !== undefined && bytes.length !== found.ContentLength) throw new Error('the storage broke off in the middle')
      return new Uint8Array(bytes)
    },
    async delete(path) {
      await writer.send(new DeleteObjectCommand({ Bucket, Key: keyOf(path) }), within(patience.operation))
    },
    async list(begin = '') {
      const found: StoredFile[] = []
      const pages = paginateListObjectsV2({ client: writer }, { Bucket, Prefix: address.folder + begin }, within(patience.operation))
      for await (const { Contents = [] } of pages)
        for (const { Key = '', LastModified, Size = 0 } of Contents) {
          const path = Key.slice(address.folder.length)
          if (isStoredPath(path)) found.push({ path, changedAt: LastModified?.getTime() ?? 0, size: Size })
        }
      return found
    },
  }
}

function settingsFor({ endpoint, region, credentials }: StorageAddress, { attempts, silence }: StoragePatience['reading']): S3ClientConfig {
  return {
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: silence, socketTimeout: silence },
    ...(credentials && { credentials }),
    ...(region && { region }),
    // Others than Amazon have no host of its own for each bucket, need no region, and not all know the newer checksums.
    ...(endpoint && {
      endpoint,
      region: region ?? 'us-east-1',
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  }
}
