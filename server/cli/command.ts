import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { sql } from 'kysely'
import { finishRestore } from '../../app/features/backups/restore-backup.server.ts'
import { openSqliteDatabase, type Database } from '../../app/lib/db/database.server.ts'
import { openPostgres } from '../../app/lib/db/postgres.server.ts'
import type { Env } from '../../app/platform/env.server.ts'
import { diskFiles, type Files } from '../../app/platform/files.server.ts'
import { openStorage } from '../open-files.ts'
import { LOCK_APP_NAME } from '../startup-lock.ts'

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>
export type Command = {
  usage: string
  options: NonNullable<ParseArgsConfig['options']>
  /** Returns the exit code; null: the arguments do not fit, so the usage is shown. */
  run: (env: Env, values: Values, positionals: string[]) => Promise<number | null>
}

/** npm runs commands in the project's folder; people type paths from where they are. */
export const typedPath = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path)
export const optionalPath = (value: Values[string]): string | null => (typeof value === 'string' ? typedPath(value) : null)

export function refuse(why: string): number {
  console.error(`${why.replace(/\.$/, '')}. Nothing was changed.`)
  return 1
}

/** False: a slip of the folder's name must not make a shop there. */
export const isShopThere = ({ databaseUrl, dataDir }: Env): boolean => databaseUrl !== null || existsSync(join(dataDir, 'shop.db'))

export const whereOf = ({ databaseUrl, dataDir }: Env): string => (databaseUrl === null ? dataDir : 'the database of DATABASE_URL')
export const noShopIn = (env: Env): string => `There is no shop in ${whereOf(env)}. Name its folder with DATA_DIR.`

/** The settings that a later npm start needs: without them it would open another shop. */
export const startLine = ({ dataDir, databaseUrl }: Env, address = 'DATABASE_URL=…'): string =>
  [...(dataDir === 'data' ? [] : [`DATA_DIR=${dataDir}`]), ...(databaseUrl === null ? [] : [address]), 'npm start'].join(' ')

/** Opens the database alone. `isAlone`: nobody else may use it meanwhile; throws OthersConnectedError on PostgreSQL, SQLite's own error else. */
export async function openDatabase(env: Env, isAlone: boolean): Promise<Database> {
  await mkdir(env.dataDir, { recursive: true, mode: 0o700 })
  await finishRestore(env.dataDir)
  const database = env.databaseUrl === null ? openSqliteDatabase(env.dataDir, isAlone) : openPostgres(env.databaseUrl)
  try {
    if (isAlone) await refuseOthers(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

export const openImages = async ({ filesUrl, dataDir }: Env): Promise<Files> =>
  filesUrl ? openStorage(filesUrl) : diskFiles(join(dataDir, 'files'))

export const backupSourceOf = (env: Env, database: Database, files: Files) => ({
  db: database.db,
  files,
  now: () => Date.now(),
  backup: { ...env.backup, dialect: database.dialect, copyDatabase: database.copyDatabase, secrets: join(env.dataDir, 'secrets') },
})

export class OthersConnectedError extends Error {}

/** SQLite refuses by itself as soon as it is asked; PostgreSQL shows who is connected to the same database. */
async function refuseOthers({ db, dialect }: Database): Promise<void> {
  if (dialect === 'sqlite') return void (await sql`select count(*) from sqlite_master`.execute(db))
  const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name <> ${LOCK_APP_NAME}`.execute(db)
  if (rows[0]!.others > 0)
    throw new OthersConnectedError(
      'The database of DATABASE_URL is in use by another program. Stop the shop first (every process of it), and start it again afterwards',
    )
}
