/** What the commands of backups open beside the shop, or in its place: database, pictures and folders, and nothing that works by itself. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openPostgres, openSqliteDatabase, type Database } from '../app/platform/db.server.ts'
import type { Env } from '../app/platform/env.server.ts'
import { diskFiles, type Files } from '../app/platform/files.server.ts'
import { openStorage } from './open-files.ts'
import { IN_TURN } from './start-in-turn.ts'

export type Beside = Database & { files: Files; now: () => number }

/** false: a slip of the folder's name must not make a shop there. */
export const isShopThere = ({ databaseUrl, dataDir }: Env): boolean => databaseUrl !== null || existsSync(join(dataDir, 'shop.db'))

export const whereOf = ({ databaseUrl, dataDir }: Env): string => (databaseUrl === null ? dataDir : 'the database of DATABASE_URL')

/** `isAlone`: nobody else may use the database meanwhile; throws OthersAreThere on PostgreSQL, SQLite's own refusal else. */
export async function openBeside(env: Env, { isAlone }: { isAlone: boolean }): Promise<Beside> {
  await mkdir(env.dataDir, { recursive: true, mode: 0o700 })
  const database = env.databaseUrl === null ? openSqliteDatabase(env.dataDir, isAlone) : openPostgres(env.databaseUrl)
  try {
    if (isAlone) await refuseOthers(database)
    const files = env.filesUrl ? await openStorage(env.filesUrl) : diskFiles(join(env.dataDir, 'files'))
    return { ...database, files, now: () => Date.now() }
  } catch (error) {
    await database.close()
    throw error
  }
}

export class OthersAreThere extends Error {}

/** SQLite refuses by itself as soon as it is asked; of PostgreSQL one sees who is connected to the same database. */
async function refuseOthers({ db, dialect }: Database): Promise<void> {
  if (dialect === 'sqlite') return void (await sql`select count(*) from sqlite_master`.execute(db))
  const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name <> ${IN_TURN}`.execute(db)
  if (rows[0]!.others > 0)
    throw new OthersAreThere(
      'The database of DATABASE_URL is in use by another program. Stop the shop first (every process of it), and start it again afterwards. Nothing was changed.',
    )
}
