import { join } from 'node:path'
import type { Env } from '#app/platform/env.server.ts'
import { diskFiles, removeUnfinished, type Files } from '#app/platform/files.server.ts'
import { rememberedFiles } from '#app/platform/remembered-files.server.ts'
import { readStorageAddress } from '#app/platform/storage-address.ts'
import { storageReason } from './startup-errors.ts'

/** A start that cannot succeed says so soon. */
const atStart = { operation: 20_000, upload: 20_000, reading: { attempts: 2, silence: 5000 }, writing: { attempts: 2, silence: 5000 } }

export async function openFiles({ dataDir, filesUrl }: Pick<Env, 'dataDir' | 'filesUrl'>, now: () => number): Promise<Files> {
  if (filesUrl) return rememberedFiles(await openStorage(filesUrl), now)
  await removeUnfinished(join(dataDir, 'files'))
  return diskFiles(join(dataDir, 'files'))
}

/** Tries at once whatever the shop will have to do there: a wrong key is a line at the start, not a lost upload a week later. */
export async function openStorage(filesUrl: string): Promise<Files> {
  const address = readStorageAddress(filesUrl)
  if (typeof address === 'string') throw new Error(`FILES_URL ${address}`)
  // Loaded only here: a shop on its own disk starts without the client.
  const { s3Files } = await import('#app/platform/s3-files.server.ts')
  const files = s3Files(address, atStart)
  const trial = 'shop-was-here'
  try {
    await files.put(trial, new TextEncoder().encode('The shop may write here.'))
    if (!(await files.read(trial))) throw new Error('what was written could not be read')
    await files.list(trial)
    await files.delete(trial)
  } catch (error) {
    throw new Error(storageReason(error), { cause: error })
  }
  return s3Files(address)
}
