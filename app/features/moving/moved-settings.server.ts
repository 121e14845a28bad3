/** The shop's own words and addresses, in our own export. */
import type { Tx } from '#db/tables.ts'
import { everyDefault } from '#app/features/settings/default-settings.server.ts'
import { openFields } from './fields.ts'
import type { Note } from './moving.ts'
import type { Report } from './report.server.ts'
import type { Spool } from './spool.server.ts'

export async function moveSettings(tx: Tx | null, spool: Spool, report: Report): Promise<void> {
  for (const document of spool.read('settings')) {
    report.count('settings', { found: 1 })
    const note: Note = (field, what, done) => report.find({ where: `settings/${document.id}`, field, what, done })
    const fields = openFields(document.fields, note)
    const [value, updatedAt] = [fields.raw('value'), fields.time('updatedAt', 0)]
    fields.end()
    const known = Object.hasOwn(everyDefault, document.id) ? everyDefault[document.id as keyof typeof everyDefault] : undefined
    if (typeof value !== typeof known) {
      note('value', 'no setting of this shop, or not of its kind', 'not taken')
      continue
    }
    const row = {
      key: document.id,
      value: JSON.stringify(typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value),
      updatedAt,
    }
    report.count('settings', { taken: 1 })
    const { key, ...changed } = row
    await tx
      ?.insertInto('settings')
      .values({ key, ...changed })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(changed))
      .execute()
  }
}
