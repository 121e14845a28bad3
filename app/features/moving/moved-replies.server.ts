/** The owner's saved replies, out with our own export and back in. */
import type { Tx } from '#db/tables.ts'
import { openFields } from './fields.ts'
import { moveEach, type Put } from './import-rows.server.ts'
import { timestamp } from './moment.ts'
import type { FoundDocument } from './moving.ts'
import type { Report } from './report.server.ts'
import type { Spool } from './spool.server.ts'

export async function* exportReplies(tx: Tx): AsyncGenerator<FoundDocument> {
  const rows = await tx.selectFrom('savedReplies').selectAll().execute()
  for (const { id, title, text, createdAt, firstCreatedAt } of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    yield { id, fields: { title, text, createdAt: timestamp(createdAt), firstCreatedAt: timestamp(firstCreatedAt) } }
}

export const moveReplies = (spool: Spool, report: Report, put: Put, there: ReadonlySet<string>, now: number): Promise<void> =>
  moveEach(spool, report, {
    collection: 'replies',
    there,
    read(document, note) {
      const fields = openFields(document.fields, note)
      const [title, text] = [fields.text('title', ''), fields.text('text', '')]
      const createdAt = fields.time('createdAt', now)
      const row = { id: document.id, title, text, createdAt, firstCreatedAt: fields.time('firstCreatedAt', createdAt) }
      fields.end()
      return row
    },
    put: (rows) => put('savedReplies', rows),
  })
