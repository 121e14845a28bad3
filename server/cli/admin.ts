import { join } from 'node:path'
import { findUserByEmail } from '#app/services/users.server.ts'
import { revokeSessions } from '../../app/features/auth/sessions.server.ts'
import {
  removeTwoFactor,
  resetAdminPassword,
} from '../../app/features/auth/two-factor/two-factor.server.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { createAuth } from '#app/services/auth.server.ts'
import type { Database } from '../../app/lib/db/database.server.ts'
import type { Env } from '#app/lib/config/env.server.ts'
import { createEmailTransport } from '#app/lib/email/transport.server.ts'
import { consoleLog } from '#app/lib/telemetry/log.server.ts'
import { createOutbox } from '#app/lib/email/outbox.server.ts'
import { newReadablePassword } from '#app/lib/auth/human-readable-codes.ts'
import { schemaState } from '../../db/migrate.ts'
import { publishEverything } from '../../app/lib/realtime/postgres-change-bus.server.ts'
import {
  databaseExists,
  noShopText,
  openDatabase,
  refuse,
  describeTarget,
  type Command,
} from './command.ts'

const now = () => Date.now()

/** Creates the services of this command, which only adds emails to the outbox. The running shop sends these emails. */
function adminServices({ db }: Database, env: Env) {
  const transport = createEmailTransport({
    readServer: async () => null,
    from: env.ownerEmail,
    folder: join(env.dataDir, 'outbox'),
  })
  return {
    db,
    now,
    outbox: createOutbox({ db, transport, now, log: consoleLog, changed: () => {} }),
  }
}

async function resetPassword(database: Database, env: Env, email: string): Promise<number> {
  const { db, dialect } = database
  // This instance of better-auth only hashes passwords, so it needs no real secret.
  const auth = createAuth({
    db,
    dialect,
    secret: 'x'.repeat(32),
    publicUrl: null,
    adminId: ADMIN_ID,
  })
  const password = newReadablePassword()
  await resetAdminPassword(
    adminServices(database, env),
    await (await auth.$context).password.hash(password),
  )
  console.log(`The owner logs in as ${email} with the new password

  ${password}

The password is shown only here. The owner was logged out on every device.`)
  const { twoFactorEnabled } = await db
    .selectFrom('user')
    .select('twoFactorEnabled')
    .where('id', '=', ADMIN_ID)
    .executeTakeFirstOrThrow()
  if (twoFactorEnabled)
    console.log(
      'Two-step login is still on. If she has lost her phone, too, run: npm run admin -- second-factor off',
    )
  return 0
}

async function turnSecondFactorOff(database: Database, env: Env, email: string): Promise<number> {
  const user = await findUserByEmail(database.db, email)
  if (!user) return refuse(`No account has the email ${email}.`)
  const wasOn = await removeTwoFactor(adminServices(database, env), user.id)
  console.log(
    wasOn
      ? `Two-step login is off: ${email} logs in with the password only.`
      : 'Two-step login was off already. Nothing was changed.',
  )
  return 0
}

async function logOut({ db }: Database, target: string): Promise<number> {
  const ended = await revokeSessions(
    { db, now },
    target === 'everybody' ? target : { email: target },
  )
  if (ended === null) return refuse(`No account has the email ${target}.`)
  console.log(`Logged out of ${ended} ${ended === 1 ? 'device' : 'devices'}.`)
  return 0
}

export const command: Command = {
  usage: `npm run admin -- reset-password       set a new password for the owner, print it once, and log her out on every device
npm run admin -- second-factor off    turn off two-step login, when the owner has lost phone and recovery codes
npm run admin -- second-factor off <email>    the same for the account of a customer
npm run admin -- log-out <email>      log out this account on every device
npm run admin -- log-out everybody    log out all accounts, except guests, who could not log in again

The command uses the shop of DATA_DIR and DATABASE_URL, as npm start does. The shop may be running.`,
  options: {},
  async run(env, _, positionals) {
    const task = positionals.slice(0, 2).join(' ')
    const isLogOut = positionals.length === 2 && positionals[0] === 'log-out'
    const isSecondFactorOff = task === 'second-factor off' && positionals.length <= 3
    if (!isLogOut && task !== 'reset-password' && !isSecondFactorOff) return null
    const where = describeTarget(env)
    if (!databaseExists(env)) return refuse(noShopText(env))
    const database = await openDatabase(env, false)
    try {
      const shape = await schemaState(database.db, database.dialect)
      if (shape === 'none') return refuse(`There is no shop in ${where}.`)
      if (shape === 'older')
        return refuse(
          `The shop in ${where} has an older version. Start it once (npm start), then run this command again.`,
        )
      const owner = await database.db
        .selectFrom('user')
        .select('email')
        .where('id', '=', ADMIN_ID)
        .executeTakeFirst()
      if (!owner)
        return refuse(
          `The shop in ${where} has no owner yet. Start it once (npm start) to create her account.`,
        )
      if (isLogOut) return await logOut(database, positionals[1]!)
      if (isSecondFactorOff)
        return await turnSecondFactorOff(database, env, positionals[2] ?? owner.email)
      return await resetPassword(database, env, owner.email)
    } finally {
      // A shop on the same PostgreSQL may be running, so it is notified.
      if (database.dialect === 'postgres') await publishEverything(database.db).catch(() => {})
      await database.close()
    }
  },
}
