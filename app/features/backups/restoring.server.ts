/**
 * The files of a restore, which no transaction holds together with the rows: what is about to be done stands in the data folder first, so that
 * a restore that was killed is noticed at the next start, and finished or undone (045).
 */
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { dirname, join } from 'node:path'
import type { Db } from '#db/tables.ts'
import { makeFolder, putFile } from '#app/platform/durable-file.server.ts'
import { isStoredPath, type Files } from '#app/platform/files.server.ts'
import { fileEntry } from './archive.ts'
import type { Archive } from './read-archive.server.ts'

/** Of a restore: its id stands in the history once its rows are there. */
export type Plan = {
  id: string
  /** new here: put in place before the rows, taken away if these do not come */
  add: string[]
  /** here with other bytes: they lie aside until the rows are there */
  replace: string[]
  /** here and not in the archive: go once the rows are there */
  remove: string[]
  secrets: string[]
}

export type Place = { dataDir: string; files: Files }

const folderOf = (dataDir: string) => join(dataDir, 'restoring')
const planOf = (dataDir: string) => join(folderOf(dataDir), 'plan.json')
const AT_ONCE = 8
const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Lays aside what must not be changed yet, then writes down the plan; after that the new files come. */
export async function prepareFiles({ dataDir, files }: Place, archive: Archive, id: string): Promise<Plan> {
  const folder = folderOf(dataDir)
  await rm(folder, { recursive: true, force: true })
  await makeFolder(folder, 0o700)
  const here = new Set((await files.list()).flatMap(({ path }) => (isStoredPath(path) ? [path] : [])))
  const wanted = new Set(archive.files)
  const plan: Plan = { id, add: [], replace: [], remove: [...here].filter((path) => !wanted.has(path)), secrets: archive.secrets }
  for (const path of archive.files) {
    const bytes = here.has(path) ? await files.read(path) : null
    if (!bytes) plan.add.push(path)
    else if (sumOf(bytes) !== archive.sums.get(fileEntry(path))) {
      plan.replace.push(path)
      await layAside(join(folder, 'files', path), await buffer(await archive.open(fileEntry(path))))
    }
  }
  for (const name of plan.secrets) await layAside(join(folder, 'secrets', name), await buffer(await archive.open(`secrets/${name}`)))
  await layAside(planOf(dataDir), JSON.stringify(plan))
  await eachOf(plan.add, async (path) => files.put(path, new Uint8Array(await buffer(await archive.open(fileEntry(path))))))
  return plan
}

/** Some at a time: each waits for the disk, or for a storage beyond the network. */
async function eachOf(paths: string[], work: (path: string) => Promise<void>): Promise<void> {
  for (let first = 0; first < paths.length; first += AT_ONCE) await Promise.all(paths.slice(first, first + AT_ONCE).map(work))
}

/** A plan that outlives a power cut must find what it names. */
async function layAside(path: string, content: Buffer | string): Promise<void> {
  await makeFolder(dirname(path), 0o700)
  await putFile(path, content, { mode: 0o600 })
}

/** The rows are there. Each step may be repeated. */
export async function finishFiles({ dataDir, files }: Place, plan: Plan): Promise<void> {
  const folder = folderOf(dataDir)
  for (const path of plan.replace) await files.put(path, new Uint8Array(await readFile(join(folder, 'files', path))))
  for (const name of plan.secrets) await layAside(join(dataDir, 'secrets', name), await readFile(join(folder, 'secrets', name)))
  await eachOf(plan.remove, files.delete)
  await rm(folder, { recursive: true, force: true })
}

/** The rows did not come: everything is as it was. */
async function undoFiles({ dataDir, files }: Place, plan: Plan): Promise<void> {
  await eachOf(plan.add, files.delete)
  await rm(folderOf(dataDir), { recursive: true, force: true })
}

export const RESTORED = 'restore-backup'

/** At every start, before the shop's own work: null where no restore was broken off. */
export async function settleRestore(db: Db, place: Place): Promise<'finished' | 'undone' | null> {
  const text = await readFile(planOf(place.dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (text === null) {
    // Nothing had been begun but laying aside.
    await rm(folderOf(place.dataDir), { recursive: true, force: true })
    return null
  }
  const plan = JSON.parse(text) as Plan
  const told = await db.selectFrom('audit').select('seq').where('act', '=', RESTORED).where('subject', '=', plan.id).executeTakeFirst()
  await (told ? finishFiles : undoFiles)(place, plan)
  return told ? 'finished' : 'undone'
}
