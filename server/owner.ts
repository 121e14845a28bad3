/** npm run owner: for an owner who has lost her password or her phone, or has to log somebody out; the shop may be open meanwhile (docs/decisions/037-second-factor.md). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shapeOf } from '../db/migrate.ts'
import { ADMIN_ID } from '../app/features/accounts/admin.ts'
import { logOutPeople } from '../app/features/devices/log-out-people.server.ts'
import { removeSecondFactor, resetOwnersPassword } from '../app/features/second-factor/rescue-owner.server.ts'
import { openAuth } from '../app/platform/auth.server.ts'
import { openPostgres, openSqliteDatabase, type Database } from '../app/platform/db.server.ts'
import type { Env } from '../app/platform/env.server.ts'
import { newReadablePassword } from '../app/platform/readable-codes.server.ts'
import { openLetters } from '../app/platform/letters.server.ts'
import { consoleLog } from '../app/platform/log.server.ts'
import { openMail } from '../app/platform/mail.server.ts'
import { readArguments, runCommand } from './command.ts'

const usage = `npm run owner -- reset-password       a new password for the owner, printed once; every device of hers is logged out
npm run owner -- second-factor off    log in with the password alone again, when phone and recovery codes are lost
npm run owner -- log-out <e-mail>     that account is logged out on every device
npm run owner -- log-out everybody    so are all accounts; guests stay, who could not log in again

The shop is the one of DATA_DIR and DATABASE_URL, as for npm start, and may be open meanwhile.`

const { values, positionals } = readArguments(usage, { allowPositionals: true, options: { help: { type: 'boolean', default: false } } })

function refuse(why: string): number {
  console.error(`${why} Nothing was changed.`)
  return 1
}

const now = () => Date.now()

/** Letters are only put into the outbox: the shop sends them, now or when it starts. */
const rescueOf = ({ db }: Database, env: Env) => ({
  db,
  now,
  mail: openMail({
    db,
    letters: openLetters({ smtpUrl: env.smtpUrl, from: env.ownerEmail, folder: join(env.dataDir, 'outbox') }),
    now,
    log: consoleLog,
    changed: () => {},
  }),
})

async function resetPassword(database: Database, env: Env, email: string): Promise<number> {
  const { db, dialect } = database
  // Only its way of hashing is wanted; nothing is signed with this.
  const auth = openAuth({ db, dialect, secret: 'x'.repeat(32), publicUrl: null, adminId: ADMIN_ID })
  const password = newReadablePassword()
  await resetOwnersPassword(rescueOf(database, env), await (await auth.$context).password.hash(password))
  console.log(`The owner signs in as ${email} with the new password

  ${password}

It stands only here. Every device of hers was logged out.`)
  const { twoFactorEnabled } = await db.selectFrom('user').select('twoFactorEnabled').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()
  if (twoFactorEnabled) console.log('Two-step login is on as before. If her phone is lost, too: npm run owner -- second-factor off')
  return 0
}

async function turnSecondFactorOff(database: Database, env: Env, email: string): Promise<number> {
  const wasOn = await removeSecondFactor(rescueOf(database, env))
  console.log(
    wasOn ? `Two-step login is off: ${email} and the password are enough.` : 'Two-step login was off already. Nothing was changed.',
  )
  return 0
}

async function logOut({ db }: Database, whom: string): Promise<number> {
  const ended = await logOutPeople({ db, now }, whom === 'everybody' ? whom : { email: whom })
  if (ended === null) return refuse(`No account has the e-mail ${whom}.`)
  console.log(`Logged out of ${ended} ${ended === 1 ? 'device' : 'devices'}.`)
  return 0
}

await runCommand(async (env) => {
  const wanted = positionals.join(' ')
  const isLogOut = positionals.length === 2 && positionals[0] === 'log-out'
  if (values.help || (!isLogOut && wanted !== 'reset-password' && wanted !== 'second-factor off')) {
    console.log(usage)
    return values.help ? 0 : 1
  }
  const where = env.databaseUrl === null ? env.dataDir : 'the database of DATABASE_URL'
  // A slip of the folder's name must not make a shop there.
  if (env.databaseUrl === null && !existsSync(join(env.dataDir, 'shop.db')))
    return refuse(`There is no shop in ${where}. Name its folder with DATA_DIR.`)
  const database = env.databaseUrl === null ? openSqliteDatabase(env.dataDir) : openPostgres(env.databaseUrl)
  try {
    const shape = await shapeOf(database.db, database.dialect)
    if (shape === 'none') return refuse(`There is no shop in ${where}.`)
    if (shape === 'older') return refuse(`The shop in ${where} is of an older version. Start it once (npm start), and come back.`)
    const owner = await database.db.selectFrom('user').select('email').where('id', '=', ADMIN_ID).executeTakeFirst()
    if (!owner) return refuse(`The shop in ${where} has no owner yet. Start it once (npm start); that makes her account.`)
    if (isLogOut) return await logOut(database, positionals[1]!)
    return await (wanted === 'reset-password' ? resetPassword : turnSecondFactorOff)(database, env, owner.email)
  } finally {
    await database.close()
  }
})
