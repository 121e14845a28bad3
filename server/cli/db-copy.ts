import { existsSync } from 'node:fs'
import { rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pluralize } from '#ui/format-count.ts'
import { copyDatabase, isEmptyDatabase } from '#backups/copy-database.server.ts'
import type { Database } from '#services/database.server.ts'
import { syncFolder } from '#lib/storage/atomic-write.server.ts'
import { readEnv, type Env } from '#lib/config/env.server.ts'
import { redacted } from '#lib/telemetry/redact.server.ts'
import { migrate } from '#db/migrate.ts'
import { withStartupLock } from '../startup-lock.ts'
import {
  openDatabase,
  OthersConnectedError,
  refuse,
  startCommand,
  withShop,
  type Command,
} from './command.ts'

function targetOf(env: Env, to: string) {
  if (to === 'sqlite') return { ...env, databaseUrl: null }
  try {
    return { ...env, databaseUrl: readEnv({ DATABASE_URL: to }).databaseUrl }
  } catch {
    return null
  }
}

function connectionErrorText(error: unknown) {
  const { code, message = '' } = error as { code?: string; message?: string }
  const why = code ?? redacted(message.split('\n')[0]!)
  return `The database that --to names cannot be used${why === '' ? '' : ` (${why})`}`
}

const draftFolder = ({ dataDir }: Env) => join(dataDir, 'copying')

async function copyOrLeaveNothing(env: Env, target: Env) {
  const wasThere = existsSync(env.dataDir)
  let code = 1
  try {
    code = await copy(env, target)
    return code
  } finally {
    if (target.databaseUrl === null) await rm(draftFolder(env), { recursive: true, force: true })
    // After a failure, removes a new folder, because its name may be a typing error.
    if (code !== 0 && !wasThere) await rmdir(env.dataDir).catch(() => {})
  }
}

async function copy(env: Env, target: Env) {
  const isFile = target.databaseUrl === null
  if (isFile === (env.databaseUrl === null)) {
    return refuse(
      isFile
        ? 'The shop uses that database already'
        : 'To copy PostgreSQL to PostgreSQL, use pg_dump and pg_restore',
    )
  }
  return withShop(env, { isAlone: true }, async (from) => {
    const refusal = isFile ? await copyToFile(env, target, from) : await copyToServer(target, from)
    if (refusal !== null) return refuse(refusal)
    console.log(
      `From now on, start the shop with:\n\n  ${startCommand(target, 'DATABASE_URL=… (the value of --to)')}`,
    )
    return 0
  })
}

async function copyToFile(env: Env, target: Env, from: Database) {
  const path = join(env.dataDir, 'shop.db')
  const isThereAlready = `${env.dataDir} already contains a shop.db. Rename it first`
  if (existsSync(path)) return isThereAlready
  const draft = draftFolder(env)
  await rm(draft, { recursive: true, force: true })
  const refusal = await copyRows(from, await openDatabase({ ...target, dataDir: draft }, true))
  if (refusal !== null) return refusal
  if (existsSync(path)) return isThereAlready
  await rename(join(draft, 'shop.db'), path)
  await syncFolder(env.dataDir)
  return null
}

async function copyToServer(target: Env, from: Database) {
  let to: Database
  try {
    to = await openDatabase(target, true)
  } catch (error) {
    if (error instanceof OthersConnectedError) throw error
    return connectionErrorText(error)
  }
  return copyRows(from, to)
}

async function copyRows(from: Database, to: Database) {
  try {
    if (!(await isEmptyDatabase(to))) return 'The other database is not empty. Name an empty one'
    await migrate(to.db, to.dialect)
    const tables = await copyDatabase(from, to)
    for (const { table, rows, checksum } of tables) {
      console.log(`  ${table.padEnd(20)} ${String(rows).padStart(8)}  ${checksum}  equal`)
    }
    const count = tables.reduce((sum, { rows }) => sum + rows, 0)
    console.log(`\n${pluralize(count, 'row')} copied and compared. The source was not changed.`)
    return null
  } finally {
    await to.close()
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
      // Keeps a shop from starting now, because the copy would lack its new rows.
      return await withStartupLock(
        env.listenUrl,
        () => copyOrLeaveNothing(env, target),
        console.log,
      )
    } catch (error) {
      if (error instanceof OthersConnectedError) return refuse(error.message)
      throw error
    }
  },
}
