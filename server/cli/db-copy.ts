import { existsSync } from 'node:fs'
import { rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pluralize } from '#app/ui/format-count.ts'
import { copyDatabase, isEmptyDatabase } from '../../app/features/backups/copy-database.server.ts'
import type { Database } from '../../app/lib/db/database.server.ts'
import { syncFolder } from '#app/lib/storage/atomic-write.server.ts'
import { readEnv, type Env } from '#app/lib/config/env.server.ts'
import { redacted } from '#app/lib/telemetry/redact.server.ts'
import { migrate, schemaState } from '../../db/migrate.ts'
import { withStartupLock } from '../startup-lock.ts'
import type { Command } from './command.ts'
import {
  databaseExists,
  noShopText,
  openDatabase,
  OthersConnectedError,
  refuse,
  startCommand,
  describeTarget,
} from './command.ts'

/** Returns the settings of the shop that receives the copy, or null if `to` is neither "sqlite" nor the URL of a database. */
function targetOf(env: Env, to: string): Env | null {
  if (to === 'sqlite') return { ...env, databaseUrl: null }
  try {
    return { ...env, databaseUrl: readEnv({ DATABASE_URL: to }).databaseUrl }
  } catch {
    return null
  }
}

/** Explains why the database cannot be reached. The text contains no part of the URL, which may contain a password. */
function connectionErrorText(error: unknown): string {
  const { code, message = '' } = error as { code?: string; message?: string }
  const why = code ?? redacted(message.split('\n')[0]!)
  return `The database that --to names cannot be used${why === '' ? '' : ` (${why})`}`
}

/** The new shop.db stays in this folder until it is complete. The next copy deletes the files of a killed copy. */
const draftFolder = ({ dataDir }: Env) => join(dataDir, 'copying')

async function copyOrLeaveNothing(env: Env, target: Env): Promise<number> {
  const wasThere = existsSync(env.dataDir)
  let code = 1
  try {
    code = await copy(env, target)
    return code
  } finally {
    if (target.databaseUrl === null) await rm(draftFolder(env), { recursive: true, force: true })
    // If a failed copy has created the data folder, the folder is removed, because the user may have mistyped its name.
    if (code !== 0 && !wasThere) await rmdir(env.dataDir).catch(() => {})
  }
}

async function copy(env: Env, target: Env): Promise<number> {
  const isFile = target.databaseUrl === null
  if (isFile === (env.databaseUrl === null))
    return refuse(
      isFile
        ? 'The shop uses that database already'
        : 'To copy PostgreSQL to PostgreSQL, use pg_dump and pg_restore',
    )
  if (!databaseExists(env)) return refuse(noShopText(env))
  const isThereAlready = `${env.dataDir} already contains a shop.db. Rename it first`
  if (isFile && existsSync(join(env.dataDir, 'shop.db'))) return refuse(isThereAlready)
  const from = await openDatabase(env, true)
  try {
    const shape = await schemaState(from.db, from.dialect)
    if (shape === 'none') return refuse(noShopText(env))
    if (shape === 'older')
      return refuse(
        `The shop in ${describeTarget(env)} has an older version. Start it once (npm start), then run this command again`,
      )
    if (isFile) await rm(draftFolder(env), { recursive: true, force: true })
    let to: Database
    try {
      to = await openDatabase(isFile ? { ...target, dataDir: draftFolder(env) } : target, true)
    } catch (error) {
      if (error instanceof OthersConnectedError || isFile) throw error
      return refuse(connectionErrorText(error))
    }
    try {
      if (!(await isEmptyDatabase(to)))
        return refuse('The other database is not empty. Name an empty one')
      await migrate(to.db, to.dialect)
      const copied = await copyDatabase(from, to)
      for (const { table, rows, checksum } of copied)
        console.log(`  ${table.padEnd(20)} ${String(rows).padStart(8)}  ${checksum}  equal`)
      const count = copied.reduce((sum, { rows }) => sum + rows, 0)
      console.log(`\n${pluralize(count, 'row')} copied and compared. The source was not changed.`)
    } finally {
      await to.close()
    }
    if (isFile) {
      // Only shop.db is moved, because SQLite merges the -wal file into shop.db when the database is closed.
      if (existsSync(join(env.dataDir, 'shop.db'))) return refuse(isThereAlready)
      await rename(join(draftFolder(env), 'shop.db'), join(env.dataDir, 'shop.db'))
      await syncFolder(env.dataDir)
    }
    console.log(
      `From now on, start the shop with:\n\n  ${startCommand(target, 'DATABASE_URL=… (the value of --to)')}`,
    )
    return 0
  } finally {
    await from.close()
  }
}

export const command: Command = {
  usage: `npm run db:copy -- --to postgres://user:password@host:5432/database     from SQLite to PostgreSQL
npm run db:copy -- --to sqlite                                            from PostgreSQL into shop.db of the data folder

The command copies the shop of DATA_DIR and DATABASE_URL, as npm start uses them. The shop must not be running, and is not changed. The
other database must be empty. Pictures and secrets stay where they are.`,
  options: { to: { type: 'string' } },
  async run(env, { to }, positionals) {
    if (typeof to !== 'string' || positionals.length > 0) return null
    const target = targetOf(env, to)
    if (!target) return refuse('--to must be a postgres:// URL, or sqlite')
    try {
      // A shop that starts during the copy must wait, because its new rows would not be copied.
      return await withStartupLock(
        env.listenUrl,
        () => copyOrLeaveNothing(env, target),
        (line) => console.log(line),
      )
    } catch (error) {
      if (error instanceof OthersConnectedError) return refuse(error.message)
      throw error
    }
  },
}
