/** The rows of an archive in another database, which must be empty; pictures and keys stay where they are (045). */
import type { Dialect } from '#db/migrations/dialect.ts'
import type { Db } from '#db/tables.ts'
import { loadRows, type Loaded } from './load-rows.server.ts'
import type { Archive } from './read-archive.server.ts'

export const moveRows = ({ db, dialect }: { db: Db; dialect: Dialect }, archive: Archive): Promise<Loaded[]> =>
  db.transaction().execute((tx) => loadRows(tx, dialect, archive))
