import { existsSync } from 'node:fs'
import { rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { countText } from '../../app/ui/amounts.ts'
import { copyDatabase, isEmptyDatabase } from '../../app/features/backups/copy-database.server.ts'
import type { Database } from '../../app/lib/db/database.server.ts'
import { syncFolder } from '../../app/platform/durable-file.server.ts'
import { readEnv, type Env } from '../../app/platform/env.server.ts'
import { redacted } from '../../app/platform/redact.server.ts'
import { migrate, shapeOf } from '../../db/migrate.ts'
import { withStartupLock } from '../startup-lock.ts'
import { isShopThere, noShopIn, openDatabase, OthersConnectedError, refuse, startLine, whereOf, type Command } from './command.ts'

/** The settings under which the shop runs afterwards; null: what was typed is no database. */
function targetOf(env: Env, to: string): Env | null {
  if (to === 'sqlite') return { ...env, databaseUrl: null }
  try {
    return { ...env, databaseUrl: readEnv({ DATABASE_URL: to }).databaseUrl }
  } catch {
    return null
  }
}

/** The address holds a password: nothing of it is repeated. */
function whyNotThere(error: unknown): string {
  const { code, message = '' } = error as { code?: string; message?: string }
  const why = code ?? redacted(message.split('\n')[0]!)
  return `The database that --to names cannot be used${why === '' ? '' : ` (${why})`}`
}

/** A shop.db is written here until it is whole; what a killed process has left goes with the next copy. */
const draftFolder = ({ dataDir }: Env) => join(dataDir, 'copying')

async function copyOrLeaveNothing(env: Env, target: Env): Promise<number> {
  const wasThere = existsSync(env.dataDir)
  let code = 1
  try {
    code = await copy(env, target)
    return code
  } finally {
    if (target.databaseUrl === null) await rm(draftFolder(env), { recursive: true, force: true })
    // Whoever has mistyped the folder's name has no folder of that name afterwards.
    if (code !== 0 && !wasThere) await rmdir(env.dataDir).catch(() => {})
  }
}

async function copy(env: Env, target: Env): Promise<number> {
  const isFile = target.databaseUrl === null
  if (isFile === (env.databaseUrl === null))
    return refuse(isFile ? 'The shop is in that database already' : 'From PostgreSQL to PostgreSQL pg_dump and pg_restore do the work')
  if (!isShopThere(env)) return refuse(noShopIn(env))
  const isThereAlready = `There is a shop.db in ${env.dataDir} already. Give it another name first`
  if (isFile && existsSync(join(env.dataDir, 'shop.db'))) return refuse(isThereAlready)
  const from = await openDatabase(env, true)
  try {
    const shape = await shapeOf(from.db, from.dialect)
    if (shape === 'none') return refuse(noShopIn(env))
    if (shape === 'older') return refuse(`The shop in ${whereOf(env)} is of an older version. Start it once (npm start), and come back`)
    if (isFile) await rm(draftFolder(env), { recursive: true, force: true })
    let to: Database
    try {
      to = await openDatabase(isFile ? { ...target, dataDir: draftFolder(env) } : target, true)
    } catch (error) {
      if (error instanceof OthersConnectedError || isFile) throw error
      return refuse(whyNotThere(error))
    }
    try {
      if (!(await isEmptyDatabase(to))) return refuse('The other database is not empty. Name one that holds nothing')
      await migrate(to.db, to.dialect)
      const copied = await copyDatabase(from, to)
      for (const { table, rows, checksum } of copied)
        console.log(`  ${table.padEnd(20)} ${String(rows).padStart(8)}  ${checksum}  the same`)
      const count = copied.reduce((sum, { rows }) => sum + rows, 0)
      console.log(`\n${countText(count, 'row')} copied and compared. Where they came from nothing was changed.`)
    } finally {
      await to.close()
    }
    if (isFile) {
      // Closed, it is one file without others beside it.
      if (existsSync(join(env.dataDir, 'shop.db'))) return refuse(isThereAlready)
      await rename(join(draftFolder(env), 'shop.db'), join(env.dataDir, 'shop.db'))
      await syncFolder(env.dataDir)
    }
    console.log(`From now on:\n\n  ${startLine(target, 'DATABASE_URL=… (what --to said)')}`)
    return 0
  } finally {
    await from.close()
  }
}

export const command: Command = {
  usage: `npm run db:copy -- --to postgres://user:password@host:5432/database     from SQLite to PostgreSQL
npm run db:copy -- --to sqlite                                            from PostgreSQL into shop.db of the data folder

The shop that is copied is the one of DATA_DIR and DATABASE_URL, as for npm start. It must not be open, and stays as it is. The other
database must be empty. Pictures and keys stay where they are.`,
  options: { to: { type: 'string' } },
  async run(env, { to }, positionals) {
    if (typeof to !== 'string' || positionals.length > 0) return null
    const target = targetOf(env, to)
    if (!target) return refuse('--to must be a postgres:// address, or sqlite')
    try {
      // A shop that starts meanwhile would write what is not copied.
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
