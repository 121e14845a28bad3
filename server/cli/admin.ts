import { join } from 'node:path'
import { findUser, findUserByEmail } from '#services/users.server.ts'
import { revokeSessions } from '#auth/sessions.server.ts'
import { removeTwoFactor, resetOwnerPassword } from '#auth/two-factor/two-factor.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { createAuth } from '#services/auth.server.ts'
import type { Database } from '#services/database.server.ts'
import type { Env } from '#lib/config/env.server.ts'
import { createEmailTransport } from '#lib/email/transport.server.ts'
import { consoleLog } from '#lib/telemetry/log.server.ts'
import { createOutbox } from '#services/outbox.server.ts'
import { newReadablePassword } from '#lib/auth/human-readable-codes.ts'
import { publishEverything } from '#lib/realtime/postgres-change-bus.server.ts'
import { describeTarget, refuse, withShop, type Command } from './command.ts'

const now = () => Date.now()

function commandServices({ db }: Database, env: Env) {
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

async function resetPassword(database: Database, env: Env, email: string) {
  const { db, dialect } = database
  const auth = createAuth({
    db,
    dialect,
    secret: 'x'.repeat(32),
    publicUrl: null,
  })
  const password = newReadablePassword()
  await resetOwnerPassword(
    commandServices(database, env),
    await (await auth.$context).password.hash(password),
  )
  console.log(`The owner logs in as ${email} with the new password

  ${password}

The password is shown only here. The owner was logged out on every device.`)
  const owner = await findUser(db, OWNER_ID)
  if (owner?.twoFactorEnabled) {
    console.log(
      'Two-step login is still on. If she has lost her phone, too, run: npm run admin -- second-factor off',
    )
  }
  return 0
}

async function turnSecondFactorOff(database: Database, env: Env, email: string) {
  const user = await findUserByEmail(database.db, email)
  if (!user) return refuse(`No account has the email ${email}.`)
  const wasOn = await removeTwoFactor(commandServices(database, env), user.id)
  console.log(
    wasOn
      ? `Two-step login is off: ${email} logs in with the password only.`
      : 'Two-step login was off already. Nothing was changed.',
  )
  return 0
}

async function logOut({ db }: Database, target: string) {
  const count = await revokeSessions({ db, now }, target)
  if (count === null) return refuse(`No account has the email ${target}.`)
  console.log(`Logged out of ${count} ${count === 1 ? 'device' : 'devices'}.`)
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
    return withShop(env, {}, async (database) => {
      const owner = await findUser(database.db, OWNER_ID)
      if (!owner) {
        return refuse(
          `The shop in ${describeTarget(env)} has no owner yet. Start it once (npm start) to create her account.`,
        )
      }
      const work = () => {
        if (isLogOut) return logOut(database, positionals[1]!)
        return isSecondFactorOff
          ? turnSecondFactorOff(database, env, positionals[2] ?? owner.email)
          : resetPassword(database, env, owner.email)
      }
      return work().finally(async () => {
        if (database.dialect === 'postgres') await publishEverything(database.db).catch(() => {})
      })
    })
  },
}
