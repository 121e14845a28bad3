import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { sql } from 'kysely'
import { schemaState } from '#db/migrate.ts'
import { finishRestore } from '#backups/restore-backup.server.ts'
import { openSqliteDatabase, type Database } from '#services/database.server.ts'
import { openPostgres } from '#services/postgres.server.ts'
import type { Env } from '#lib/config/env.server.ts'
import { createDiskStorage, type FileStorage } from '#lib/storage/storage.server.ts'
import { openStorage } from '../open-storage.ts'
import { LOCK_APP_NAME } from '../startup-lock.ts'

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>
export type Command = {
  usage: string
  options: NonNullable<ParseArgsConfig['options']>
  run: (env: Env, values: Values, positionals: string[]) => Promise<number | null>
}

/** A path is relative to the folder of the user, although npm runs the command elsewhere. */
export const resolveUserPath = (path: string) =>
  resolve(process.env.INIT_CWD ?? process.cwd(), path)
export const optionalPath = (value: Values[string]) =>
  typeof value === 'string' ? resolveUserPath(value) : null

export function fail(text: string) {
  console.error(text)
  return 1
}
export const refuse = (reason: string) => fail(`${reason.replace(/\.$/, '')}. Nothing was changed.`)

export const databaseExists = ({ databaseUrl, dataDir }: Env) =>
  databaseUrl !== null || existsSync(join(dataDir, 'shop.db'))

export const describeTarget = ({ databaseUrl, dataDir }: Env) =>
  databaseUrl === null ? dataDir : 'the database of DATABASE_URL'
const noShopText = (env: Env) =>
  `There is no shop in ${describeTarget(env)}. Name its folder with DATA_DIR.`

export const olderShopText = (env: Env) =>
  `The shop in ${describeTarget(env)} has an older version. Start it once (npm start), then run this command again`

export const startCommand = ({ dataDir, databaseUrl }: Env, address = 'DATABASE_URL=…') =>
  [
    ...(dataDir === 'data' ? [] : [`DATA_DIR=${dataDir}`]),
    ...(databaseUrl === null ? [] : [address]),
    'npm start',
  ].join(' ')

export async function openDatabase(env: Env, isAlone: boolean) {
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

/** Refuses a missing database, because a mistyped folder must not become a new shop. */
export async function withShop(
  env: Env,
  { isAlone = false, mayBeOlder = false },
  work: (database: Database) => Promise<number>,
) {
  if (!databaseExists(env)) return refuse(noShopText(env))
  const database = await openDatabase(env, isAlone)
  try {
    const state = await schemaState(database.db, database.dialect)
    if (state === 'none') return refuse(noShopText(env))
    return state === 'older' && !mayBeOlder ? refuse(olderShopText(env)) : await work(database)
  } finally {
    await database.close()
  }
}

export const openImageStorage = async ({ filesUrl, dataDir }: Env) =>
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

async function refuseOthers({ db, dialect }: Database) {
  if (dialect === 'sqlite') return void (await sql`select count(*) from sqlite_master`.execute(db))
  const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name <> ${LOCK_APP_NAME}`.execute(db)
  if (rows[0]!.others > 0) {
    throw new OthersConnectedError(
      'Another program uses the database of DATABASE_URL. Stop all processes of the shop, run this command, and start them again',
    )
  }
}
