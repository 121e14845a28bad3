/** Writes the rows of an import, in the order in which they refer to each other; all of it inside one transaction. */
import type { Insertable } from 'kysely'
import type { Tables, Tx } from '#db/tables.ts'
import type { Collection, Finding, FoundDocument, Note } from './moving.ts'
import type { Report } from './report.server.ts'
import type { Spool } from './spool.server.ts'

/** PostgreSQL takes 65,535 values in a statement, SQLite 32,766. */
const MOST_VALUES = 30_000
const MOST_ROWS = 500
const CHUNK = 500

export type Table =
  | 'user'
  | 'categories'
  | 'colors'
  | 'items'
  | 'itemPictures'
  | 'itemPictureColors'
  | 'showcase'
  | 'favourites'
  | 'orders'
  | 'orderItems'
  | 'messages'
  | 'messagePictures'
  | 'readMarks'
  | 'reminders'
  | 'savedReplies'
  | 'sales'
  | 'invoices'
  | 'requests'
  | 'testimonies'
  | 'testimonyItems'

export type Put = <Name extends Table>(table: Name, rows: readonly Insertable<Tables[Name]>[]) => Promise<void>

/** `tx` null (a dry run): nothing is written. */
export const putInto =
  (tx: Tx | null): Put =>
  async (table, rows) => {
    if (!tx || rows.length === 0) return
    const most = Math.min(MOST_ROWS, Math.floor(MOST_VALUES / Object.keys(rows[0]!).length))
    for (let from = 0; from < rows.length; from += most)
      await tx
        .insertInto(table as 'items')
        .values(rows.slice(from, from + most) as unknown as Insertable<Tables['items']>[])
        .execute()
  }

type Each<Read> = {
  collection: Collection
  /** ids that the shop has already */
  there: ReadonlySet<string>
  /** the id under which the document would stand here */
  idOf?: (id: string) => string
  /** null: not taken, and noted */
  read: (document: FoundDocument, note: Note, place: number) => Read | null
  put: (read: Read[]) => Promise<void>
}

/** Reads and writes a collection in chunks, so that memory does not grow with it. */
export async function moveEach<Read>(spool: Spool, report: Report, { collection, there, idOf = (id) => id, read, put }: Each<Read>) {
  report.count(collection, { found: 0 })
  let chunk: Read[] = []
  let place = 0
  for (const document of spool.read(collection)) {
    report.count(collection, { found: 1 })
    const where = `${collection}/${document.id}`
    const note: Note = (field, what, done) => report.find({ where, field, what, done })
    if (there.has(idOf(document.id))) {
      report.count(collection, { there: 1 })
      continue
    }
    const row = read(document, note, place++)
    if (row === null) continue
    report.count(collection, { taken: 1 })
    chunk.push(row)
    if (chunk.length < CHUNK) continue
    await put(chunk)
    chunk = []
  }
  await put(chunk)
}

export type Find = (finding: Finding) => void
