import { join } from 'node:path'
import { logOutPeople } from '../../app/features/auth/sessions.server.ts'
import { removeSecondFactor, resetOwnersPassword } from '../../app/features/auth/two-factor/two-factor.server.ts'
import { ADMIN_ID } from '../../app/platform/admin-id.ts'
import { openAuth } from '../../app/platform/auth.server.ts'
import type { Database } from '../../app/lib/db/database.server.ts'
import type { Env } from '../../app/platform/env.server.ts'
import { openLetters } from '../../app/platform/letters.server.ts'
import { consoleLog } from '../../app/platform/log.server.ts'
import { openMail } from '../../app/platform/mail.server.ts'
import { newReadablePassword } from '../../app/platform/readable-codes.ts'
import { shapeOf } from '../../db/migrate.ts'
import { publishEverything } from '../../app/lib/realtime/postgres-change-bus.server.ts'
import { isShopThere, noShopIn, openDatabase, refuse, whereOf, type Command } from './command.ts'

const now = () => Date.now()

/** Emails are only put into the outbox: the shop sends them, now or when it starts. */
function rescueContext({ db }: Database, env: Env) {
  const letters = openLetters({ smtpUrl: env.smtpUrl, from: env.ownerEmail, folder: join(env.dataDir, 'outbox') })
  return { db, now, mail: openMail({ db, letters, now, log: consoleLog, changed: () => {} }) }
}

async function resetPassword(database: Database, env: Env, email: string): Promise<number> {
  const { db, dialect } = database
  // Only its way of hashing is wanted; nothing is signed with this.
  const auth = openAuth({ db, dialect, secret: 'x'.repeat(32), publicUrl: null, adminId: ADMIN_ID })
  const password = newReadablePassword()
  await resetOwnersPassword(rescueContext(database, env), await (await auth.$context).password.hash(password))
  console.log(`The owner signs in as ${email} with the new password

  ${password}

It stands only here. Every device of hers was logged out.`)
  const { twoFactorEnabled } = await db.selectFrom('user').select('twoFactorEnabled').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()
  if (twoFactorEnabled) console.log('Two-step login is on as before. If her phone is lost, too: npm run admin -- second-factor off')
  return 0
}

async function turnSecondFactorOff(database: Database, env: Env, email: string): Promise<number> {
  const wasOn = await removeSecondFactor(rescueContext(database, env))
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

export const command: Command = {
  usage: `npm run admin -- reset-password       a new password for the owner, printed once; every device of hers is logged out
npm run admin -- second-factor off    log in with the password alone again, when phone and recovery codes are lost
npm run admin -- log-out <e-mail>     that account is logged out on every device
npm run admin -- log-out everybody    so are all accounts; guests stay, who could not log in again

The shop is the one of DATA_DIR and DATABASE_URL, as for npm start, and may be open meanwhile.`,
  options: {},
  async run(env, _, positionals) {
    const task = positionals.join(' ')
    const isLogOut = positionals.length === 2 && positionals[0] === 'log-out'
    if (!isLogOut && task !== 'reset-password' && task !== 'second-factor off') return null
    const where = whereOf(env)
    if (!isShopThere(env)) return refuse(noShopIn(env))
    const database = await openDatabase(env, false)
    try {
      const shape = await shapeOf(database.db, database.dialect)
      if (shape === 'none') return refuse(`There is no shop in ${where}.`)
      if (shape === 'older') return refuse(`The shop in ${where} is of an older version. Start it once (npm start), and come back.`)
      const owner = await database.db.selectFrom('user').select('email').where('id', '=', ADMIN_ID).executeTakeFirst()
      if (!owner) return refuse(`The shop in ${where} has no owner yet. Start it once (npm start); that makes her account.`)
      if (isLogOut) return await logOut(database, positionals[1]!)
      return await (task === 'reset-password' ? resetPassword : turnSecondFactorOff)(database, env, owner.email)
    } finally {
      // The shop may be open elsewhere on the same PostgreSQL.
      if (database.dialect === 'postgres') await publishEverything(database.db).catch(() => {})
      await database.close()
    }
  },
}
