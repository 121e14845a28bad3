/** Opens everything the shop stands on: data folder, database, files, mail, accounts, live channel. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '#db/migrate.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { ensureCategories } from '#app/features/categories/first-categories.server.ts'
import { startSweepingGuests } from '#app/features/guests/sweep-guests.server.ts'
import { startReminders } from '#app/features/reminders/reminders.server.ts'
import { startSweeping } from '#app/features/uploads/sweep-pictures.server.ts'
import { openAuth } from '#app/platform/auth.server.ts'
import { openAuthSync } from '#app/platform/auth-sync.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { openPostgres, openSqliteDatabase } from '#app/platform/db.server.ts'
import { originOfLetters, type Env } from '#app/platform/env.server.ts'
import { openFormTime } from '#app/platform/form-time.server.ts'
import { openLetterCodes } from '#app/platform/letter-codes.server.ts'
import { openLetters } from '#app/platform/letters.server.ts'
import { openLive } from '#app/platform/live.server.ts'
import { consoleLog } from '#app/platform/log.server.ts'
import { openMail } from '#app/platform/mail.server.ts'
import { openPictures } from '#app/platform/pictures.server.ts'
import { openRateLimits } from '#app/platform/rate-limits.server.ts'
import { fillDemoShop } from '#demo/fill.server.ts'
import { openFiles } from './open-files.ts'
import { ensureOwnerPassword } from './owner-password.ts'
import { readOrMakeSecret } from './secrets.ts'

export type OpenShop = {
  shop: Shop
  /** how the owner signs in; `hint` tells the password when it has just been made */
  owner: { email: string; hint: string }
  close: () => Promise<void>
}

/**
 * `say` tells the person at the terminal what takes time. For commands beside the shop: `isServed` false leaves out the demo shop and
 * whatever works in the background; `isAlone` refuses while another process has the SQLite file open, and keeps others out.
 */
export async function openShop(
  env: Env,
  say: (line: string) => void = () => {},
  { isServed = true, isAlone = false } = {},
): Promise<OpenShop> {
  await mkdir(env.dataDir, { recursive: true, mode: 0o700 })
  const { db, dialect, backUp, close } = env.databaseUrl ? openPostgres(env.databaseUrl) : openSqliteDatabase(env.dataDir, isAlone)
  const now = () => Date.now()
  const migrated = await migrate(db, dialect, backUp)
  if (migrated.length > 0) say(`Database brought up to date (${migrated.length} steps).`)
  const secret = await readOrMakeSecret(join(env.dataDir, 'secrets', 'session'))
  const providers = { list: env.providers, origin: originOfLetters(env) }
  const auth = openAuth({ db, dialect, secret, publicUrl: env.publicUrl, adminId: ADMIN_ID, providers })
  const owner = await ensureOwnerPassword(auth, env)
  const files = await openFiles(env, now)
  const live = openLive()
  const codes = openLetterCodes(await readOrMakeSecret(join(env.dataDir, 'secrets', 'codes')))
  const letters = openLetters({ smtpUrl: env.smtpUrl, from: env.ownerEmail, folder: join(env.dataDir, 'outbox'), fill: codes.fill })
  const shop: Shop = {
    db,
    auth,
    authSync: openAuthSync({ live, target: env.authSync, issuer: env.publicUrl, now, log: consoleLog }),
    files,
    pictures: openPictures({ db, files, now, log: consoleLog, live }),
    live,
    mail: openMail({ db, letters, now, log: consoleLog, changed: () => live.changed('mail') }),
    log: consoleLog,
    limits: openRateLimits(true),
    formTime: openFormTime(await readOrMakeSecret(join(env.dataDir, 'secrets', 'forms'))),
    codes,
    tablesDir: join(env.dataDir, 'tables'),
    now,
    timeZone: env.timeZone,
    publicUrl: env.publicUrl,
    providers,
    letterOrigin: originOfLetters(env),
  }
  if (!isServed) return { shop, owner, close }
  if (env.demo) await fillDemoShop(shop, say)
  await ensureCategories(shop)
  const stopMail = await shop.mail.start()
  const stopPictures = shop.pictures.start()
  const stopSweeping = startSweeping(shop)
  const stopSweepingGuests = startSweepingGuests(shop)
  const stopReminders = startReminders(shop, shop.letterOrigin)
  return {
    shop,
    owner,
    async close() {
      const stopTimers = [stopReminders().then(stopMail), stopPictures(), stopSweeping(), stopSweepingGuests()]
      await Promise.all([...stopTimers, shop.authSync.close()])
      await close()
    },
  }
}
