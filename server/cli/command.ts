import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { sql } from 'kysely'
import { finishRestore } from '../../app/features/backups/restore-backup.server.ts'
import { openSqliteDatabase, type Database } from '../../app/lib/db/database.server.ts'
import { openPostgres } from '../../app/lib/db/postgres.server.ts'
import type { Env } from '#app/lib/config/env.server.ts'
import { createDiskStorage, type FileStorage } from '#app/lib/storage/storage.server.ts'
import { openStorage } from '#server/open-storage.ts'
import { LOCK_APP_NAME } from '../startup-lock.ts'

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>
export type Command = {
  usage: string
  options: NonNullable<ParseArgsConfig['options']>
  /** Runs the command and returns its exit code. Returns null if the arguments are wrong, and the usage is then printed. */
  run: (env: Env, values: Values, positionals: string[]) => Promise<number | null>
}

/** Resolves a typed path relative to the folder in which the user runs npm, because npm itself runs commands in the project's folder. */
export const resolveUserPath = (path: string): string =>
  resolve(process.env.INIT_CWD ?? process.cwd(), path)
export const optionalPath = (value: Values[string]): string | null =>
  typeof value === 'string' ? resolveUserPath(value) : null

export function refuse(why: string): number {
  console.error(`${why.replace(/\.$/, '')}. Nothing was changed.`)
  return 1
}

/** Commands check that the database exists, so that they create no new shop in a mistyped folder. */
export const databaseExists = ({ databaseUrl, dataDir }: Env): boolean =>
  databaseUrl !== null || existsSync(join(dataDir, 'shop.db'))

export const describeTarget = ({ databaseUrl, dataDir }: Env): string =>
  databaseUrl === null ? dataDir : 'the database of DATABASE_URL'
export const noShopText = (env: Env): string =>
  `There is no shop in ${describeTarget(env)}. Name its folder with DATA_DIR.`

/** Returns the command line that starts this shop. */
export const startCommand = ({ dataDir, databaseUrl }: Env, address = 'DATABASE_URL=…'): string =>
  [
    ...(dataDir === 'data' ? [] : [`DATA_DIR=${dataDir}`]),
    ...(databaseUrl === null ? [] : [address]),
    'npm start',
  ].join(' ')

/** Opens the database. If `isAlone` is true, throws if another process uses the database: OthersConnectedError on PostgreSQL, and SQLite's own error on SQLite. */
export async function openDatabase(env: Env, isAlone: boolean): Promise<Database> {
  await mkdir(env.dataDir, { recursive: true, mode: 0o700 })
  await finishRestore(env.dataDir)
  const database =
    env.databaseUrl === null
      ? openSqliteDatabase(env.dataDir, isAlone)
      : openPostgres(env.databaseUrl)
  try {
    if (isAlone) await refuseOthers(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

export const openImageStorage = async ({ filesUrl, dataDir }: Env): Promise<FileStorage> =>
  filesUrl ? openStorage(filesUrl) : createDiskStorage(join(dataDir, 'files'))

export const backupSourceOf = (env: Env, database: Database, storage: FileStorage) => ({
  db: database.db,
  storage,
  now: () => Date.now(),
  backup: {
    ...env.backup,
    dialect: database.dialect,
    copyDatabase: database.copyDatabase,
    secrets: join(env.dataDir, 'secrets'),
  },
})

export class OthersConnectedError extends Error {}

/** Throws if another process uses the database. SQLite refuses any query then, and PostgreSQL lists its connections. */
async function refuseOthers({ db, dialect }: Database): Promise<void> {
  if (dialect === 'sqlite') return void (await sql`select count(*) from sqlite_master`.execute(db))
  const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name <> ${LOCK_APP_NAME}`.execute(db)
  if (rows[0]!.others > 0)
    throw new OthersConnectedError(
      'Another program uses the database of DATABASE_URL. Stop all processes of the shop, run this command, and start them again',
    )
}
