/** npm run move -- --to <database>: every row into another database, compared row by row (docs/decisions/045-backups.md). */
import { existsSync } from 'node:fs'
import { rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate, shapeOf } from '../db/migrate.ts'
import { countText } from '../app/ui/amounts.ts'
import { makeBackup, NoRoom } from '../app/features/backups/make-backup.server.ts'
import { moveRows } from '../app/features/backups/move-rows.server.ts'
import { openArchive, UnusableArchive } from '../app/features/backups/read-archive.server.ts'
import { refuseOthersThings } from '../app/features/backups/load-rows.server.ts'
import { isEmpty } from '../app/features/backups/restore.server.ts'
import { listAll } from '../app/features/backups/shape.server.ts'
import { syncFolder } from '../app/platform/durable-file.server.ts'
import { readEnv, type Env } from '../app/platform/env.server.ts'
import { redacted } from '../app/platform/redact.server.ts'
import { isShopThere, openBeside, OthersAreThere, whereOf } from './beside-shop.ts'
import { readArguments, runCommand } from './command.ts'
import { inTurn } from './start-in-turn.ts'

const usage = `npm run move -- --to postgres://user:password@host:5432/database     from SQLite, or another PostgreSQL, to PostgreSQL
npm run move -- --to sqlite                                            from PostgreSQL into shop.db of the data folder

The shop that moves is the one of DATA_DIR and DATABASE_URL, as for npm start. It must not be open, is backed up before, and stays
as it is. The other database must be empty. Pictures and keys stay where they are.`

const { values } = readArguments(usage, { options: { to: { type: 'string' }, help: { type: 'boolean', default: false } } })

/** The settings under which the shop runs once it has moved. */
function targetOf(env: Env, to: string): Env {
  if (to === 'sqlite') return { ...env, databaseUrl: null }
  try {
    return { ...env, databaseUrl: readEnv({ DATABASE_URL: to }).databaseUrl }
  } catch {
    throw new UnusableArchive(`--to must be a postgres:// address, or sqlite`)
  }
}

/** What was typed holds a password: nothing of it is repeated. */
function whyNotThere(error: unknown): string {
  const { code, message = '' } = error as { code?: string; message?: string }
  const why = code ?? redacted(message.split('\n')[0]!)
  return `The database that --to names cannot be used${why === '' ? '' : ` (${why})`}`
}

/** Where a shop.db is written until it is whole. Whoever is killed meanwhile leaves it to the next move. */
const asideOf = ({ dataDir }: Env) => join(dataDir, 'moving')

/** Nothing is left behind that was not there, but for the backup of before. */
async function moveOrLeaveNothing(env: Env, target: Env): Promise<number> {
  const wasThere = existsSync(env.dataDir)
  let code = 1
  try {
    code = await move(env, target)
    return code
  } finally {
    if (target.databaseUrl === null) await rm(asideOf(env), { recursive: true, force: true })
    // Whoever has mistyped its name has no folder of that name afterwards.
    if (code !== 0 && !wasThere) await rmdir(env.dataDir).catch(() => {})
  }
}

async function move(env: Env, target: Env): Promise<number> {
  const refuse = (why: string) => {
    console.error(`${why} Nothing was changed.`)
    return 1
  }
  if (target.databaseUrl === env.databaseUrl) return refuse('The shop is in that database already.')
  if (!isShopThere(env)) return refuse(`There is no shop in ${whereOf(env)}. Name its folder with DATA_DIR.`)
  if (target.databaseUrl === null && existsSync(join(env.dataDir, 'shop.db'))) return refuse(isThereAlready(env))
  const from = await openBeside(env, { isAlone: true })
  try {
    const shape = await shapeOf(from.db, from.dialect)
    if (shape === 'none') return refuse(`There is no shop in ${whereOf(env)}.`)
    const isFile = target.databaseUrl === null
    if (isFile) await rm(asideOf(env), { recursive: true, force: true })
    const to = await openBeside(isFile ? { ...target, dataDir: asideOf(env) } : target, { isAlone: true }).catch((error: unknown) => {
      throw error instanceof OthersAreThere || isFile ? error : new UnusableArchive(whyNotThere(error))
    })
    let count: number
    try {
      if ((await shapeOf(to.db, to.dialect)) === 'none') refuseOthersThings(await listAll(to.db, to.dialect))
      else if (!(await isEmpty(to.db, to.dialect))) return refuse('The other database is not empty: a shop is in it. Name another one.')
      const made = await makeBackup({ ...from, backup: { ...env.backup, ...from, secrets: join(env.dataDir, 'secrets') } }, 'before-move')
      console.log(`Backed up before: ${made.path}`)
      await migrate(to.db, to.dialect)
      const archive = await openArchive(made.path)
      const moved = await moveRows(to, archive).finally(() => archive.close())
      for (const { table, rows, sum } of moved)
        console.log(`  ${table.padEnd(20)} ${String(rows).padStart(8)}  ${sum.slice(0, 12)}  the same`)
      count = moved.reduce((sum, { rows }) => sum + rows, 0)
    } finally {
      await to.close()
    }
    if (isFile) await giveItsName(env)
    console.log(
      `\n${countText(count, 'row')} moved and compared. Where they came from nothing was changed. From now on:\n\n  ${startOf(target)}`,
    )
    return 0
  } finally {
    await from.close()
  }
}

const isThereAlready = ({ dataDir }: Env) => `There is a shop.db in ${dataDir} already, of before perhaps. Give it another name first.`

/** Closed, it is one file without others beside it. */
async function giveItsName(env: Env): Promise<void> {
  const path = join(env.dataDir, 'shop.db')
  if (existsSync(path)) throw new UnusableArchive(isThereAlready(env))
  await rename(join(asideOf(env), 'shop.db'), path)
  await syncFolder(env.dataDir)
}

const startOf = ({ databaseUrl, dataDir }: Env) =>
  [
    ...(dataDir === 'data' ? [] : [`DATA_DIR=${dataDir}`]),
    ...(databaseUrl === null ? [] : ['DATABASE_URL=… (what --to said)']),
    'npm start',
  ].join(' ')

await runCommand(async (env) => {
  if (values.help || values.to === undefined) {
    console.log(usage)
    return values.help ? 0 : 1
  }
  try {
    const target = targetOf(env, values.to)
    // A shop that starts meanwhile would write what does not move.
    return await inTurn(
      env.listenUrl,
      () => moveOrLeaveNothing(env, target),
      (line) => console.log(line),
    )
  } catch (error) {
    if (error instanceof OthersAreThere) console.error(error.message)
    else if (error instanceof UnusableArchive || error instanceof NoRoom)
      console.error(`${error.message.replace(/\.$/, '')}. Nothing was changed.`)
    else throw error
    return 1
  }
})
