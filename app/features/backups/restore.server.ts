/** Puts an archive in the place of whatever the shop holds (045). The shop must not be open meanwhile. */
import { sql } from 'kysely'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import type { Dialect } from '#db/migrations/dialect.ts'
import type { Db } from '#db/tables.ts'
import { momentText } from '#app/ui/moments.ts'
import { loadRows, refuseUnknownVersion, type Loaded } from './load-rows.server.ts'
import type { Archive } from './read-archive.server.ts'
import { finishFiles, prepareFiles, RESTORED, settleRestore, type Place } from './restoring.server.ts'
import { listTables } from './tables.server.ts'

type Target = Place & { db: Db; dialect: Dialect; now: () => number; timeZone: string }

/** Whether there is anything to lose: a database just made has tables and no row. */
export async function isEmpty(db: Db, dialect: Dialect): Promise<boolean> {
  for (const { name } of await listTables(db, dialect)) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

/** The archive must have been verified. All or nothing, also when the process is killed (`settleRestore` at the next start). */
export async function restoreArchive({ db, dialect, now, timeZone, ...place }: Target, archive: Archive): Promise<Loaded[]> {
  refuseUnknownVersion(archive, dialect)
  const id = newId15()
  let loaded: Loaded[] = []
  try {
    const plan = await prepareFiles(place, archive, id)
    loaded = await db.transaction().execute(async (tx) => {
      const done = await loadRows(tx, dialect, archive)
      const { madeAt } = archive.manifest
      const about = { name: momentText(Date.parse(madeAt), timeZone), detail: { madeAt } }
      await recordAct(tx, { at: now(), actor: ADMIN_ID, act: RESTORED, subject: id, ...about })
      return done
    })
    await finishFiles(place, plan)
  } catch (error) {
    // Whether the rows came is for the database to say; where it cannot be asked, the next start does.
    const settled = await settleRestore(db, place).catch(() => null)
    if (settled !== 'finished') throw error
  }
  return loaded
}
