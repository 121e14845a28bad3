import { join } from 'node:path'
import type { Env } from '#lib/config/env.server.ts'
import { createDiskStorage, deletePartialUploads } from '#lib/storage/storage.server.ts'
import { withMemoryCache } from '#lib/storage/cached-storage.server.ts'
import { parseStorageUrl } from '#lib/config/storage-url.ts'
import { storageReason } from './startup-errors.ts'

const startupTimeouts = {
  operation: 20_000,
  upload: 20_000,
  reading: { attempts: 2, silence: 5000 },
  writing: { attempts: 2, silence: 5000 },
}

export async function openFileStorage(
  { dataDir, filesUrl }: Pick<Env, 'dataDir' | 'filesUrl'>,
  now: () => number,
) {
  if (filesUrl) return withMemoryCache(await openStorage(filesUrl), now)
  await deletePartialUploads(join(dataDir, 'files'))
  return createDiskStorage(join(dataDir, 'files'))
}

export async function openStorage(filesUrl: string) {
  const address = parseStorageUrl(filesUrl)
  if (typeof address === 'string') throw new Error(`STORAGE_URL ${address}`)
  const { createS3Storage } = await import('#lib/storage/s3-storage.server.ts')
  const files = createS3Storage(address, startupTimeouts)
  const trial = 'shop-was-here'
  try {
    await files.put(trial, new TextEncoder().encode('The shop may write here.'))
    if (!(await files.read(trial))) throw new Error('what was written could not be read')
    await files.list(trial)
    await files.delete(trial)
  } catch (error) {
    throw new Error(storageReason(error), { cause: error })
  }
  return createS3Storage(address)
}
