/** Writes the whole shop as one Firestore export and its pictures beside it; the shop may be open meanwhile. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Tx } from '#db/tables.ts'
import { everyDefault } from '#app/features/settings/default-settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { jsonText } from '#app/platform/json-text.ts'
import { OWN_FILE } from './export-file.server.ts'
import { exportCategories, exportColors, exportItems, exportShowcase } from './export-catalogue.server.ts'
import { exportAccounts, exportOrders, exportRequests, exportSales, exportTestimonies, exportUsers } from './export-people.server.ts'
import { timestamp } from './moment.ts'
import { exportReplies } from './moved-replies.server.ts'
import { exportInvoices } from './move-invoices.server.ts'
import { FORMAT, type Collection, type FoundDocument } from './moving.ts'

export type Exported =
  | { ok: true; counts: Partial<Record<Collection, number>>; pictures: number; missing: string[] }
  | { ok: false; refusal: 'folder-in-use' }

async function* exportSettings(tx: Tx): AsyncGenerator<FoundDocument> {
  const rows = await tx.selectFrom('settings').selectAll().execute()
  for (const row of rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    if (Object.hasOwn(everyDefault, row.key))
      yield { id: row.key, fields: { value: JSON.parse(row.value), updatedAt: timestamp(row.updatedAt) } }
}

async function* exportFormat(): AsyncGenerator<FoundDocument> {
  yield { id: 'export', fields: { format: FORMAT } }
}

const sources: [Collection, (tx: Tx) => AsyncGenerator<FoundDocument>][] = [
  ['users', exportUsers],
  ['orders', exportOrders],
  ['items', exportItems],
  ['colors', exportColors],
  ['category', exportCategories],
  ['showcase', exportShowcase],
  ['testimony', exportTestimonies],
  ['sales', exportSales],
  ['requests', exportRequests],
  ['accounts', exportAccounts],
  ['invoices', exportInvoices],
  ['settings', exportSettings],
  ['replies', exportReplies],
  ['shop', exportFormat],
]

/** The text of export.json, a document a line: two exports can be laid side by side. `counts` is filled on the way. */
async function* exportText(tx: Tx, counts: Partial<Record<Collection, number>>): AsyncGenerator<string> {
  yield '{"__collections__":{'
  for (const [index, [collection, documents]] of sources.entries()) {
    yield `${index > 0 ? ',' : ''}\n${JSON.stringify(collection)}:{`
    let count = 0
    for await (const { id, fields } of documents(tx)) {
      yield `${count++ > 0 ? ',' : ''}\n${JSON.stringify(id)}:`
      yield* jsonText({ ...fields, __collections__: {} })
    }
    counts[collection] = count
    yield '}'
  }
  yield '\n}}\n'
}

/** Stored pictures that the shop shows: in the catalogue, in messages, or under the fixed names of its own pages and faces. */
async function listPictures(tx: Tx): Promise<string[]> {
  const used = new Set<string | null>()
  for (const { pictureId } of await tx.selectFrom('itemPictures').select('pictureId').execute()) used.add(pictureId)
  for (const table of ['categories', 'colors', 'showcase', 'messagePictures'] as const)
    for (const { pictureId } of await tx.selectFrom(table).select('pictureId').execute()) used.add(pictureId)
  const rows = await tx.selectFrom('pictures').select(['id', 'path']).execute()
  return rows
    .filter(({ id, path }) => used.has(id) || /^(scenes|people)\//.test(path))
    .map((row) => row.path)
    .sort()
}

/** All rows come from one moment (one read transaction), also while the shop is open. The folder must be new or empty. */
export async function exportShop({ db, files }: Pick<Shop, 'db' | 'files'>, folder: string): Promise<Exported> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) return { ok: false, refusal: 'folder-in-use' }
  const counts: Partial<Record<Collection, number>> = {}
  const draft = join(folder, `.${OWN_FILE}.part`)
  const paths = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await writeLines(draft, exportText(tx, counts))
      return listPictures(tx)
    })
  const missing: string[] = []
  for (const path of paths) {
    const bytes = await files.read(path)
    if (bytes === null) {
      missing.push(path)
      continue
    }
    const target = join(folder, 'files', path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, bytes)
  }
  // Last: a folder with an export.json is whole.
  await rename(draft, join(folder, OWN_FILE))
  return { ok: true, counts, pictures: paths.length - missing.length, missing }
}

/** Waits for the disk, so that memory does not grow with the shop; conversations are for the owner alone. */
async function writeLines(path: string, lines: AsyncGenerator<string>): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  try {
    for await (const line of lines) if (!file.write(line)) await once(file, 'drain')
    file.end()
    await finished(file)
    const handle = await open(path, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    file.destroy()
    await rm(path, { force: true })
    throw error
  }
}
