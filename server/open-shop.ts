/** Opens everything the shop stands on: data folder, database, files, mail, accounts, live channel. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerInstrumentation } from 'react-router'
import { migrate } from '#db/migrate.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { settleRestore } from '#app/features/backups/restoring.server.ts'
import { startBackups } from '#app/features/backups/start-backups.server.ts'
import { ensureCategories } from '#app/features/categories/first-categories.server.ts'
import { startSweepingGuests } from '#app/features/guests/sweep-guests.server.ts'
import { startReminders } from '#app/features/reminders/reminders.server.ts'
import { dropPlanFolders, startSweepingPlans } from '#app/features/tables/kept-plans.server.ts'
import { startSweeping } from '#app/features/uploads/sweep-pictures.server.ts'
import { openAuth } from '#app/platform/auth.server.ts'
import { openAuthSync } from '#app/platform/auth-sync.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { openPostgres, openSqliteDatabase } from '#app/platform/db.server.ts'
import { originOfLetters, type Env } from '#app/platform/env.server.ts'
import { openBehind } from '#app/platform/behind.server.ts'
import { openErrorTally } from '#app/platform/error-tally.server.ts'
import { openFormTime } from '#app/platform/form-time.server.ts'
import { openLetterCodes } from '#app/platform/letter-codes.server.ts'
import { openLetters } from '#app/platform/letters.server.ts'
import { openLog } from '#app/platform/log.server.ts'
import { openMail } from '#app/platform/mail.server.ts'
import { openPictures } from '#app/platform/pictures.server.ts'
import { isProduction, refuseIfAny } from '#app/platform/production.server.ts'
import type { Traces } from '#app/platform/traces.server.ts'
import { openRateLimits } from '#app/platform/rate-limits.server.ts'
import thisPackage from '../package.json' with { type: 'json' }
import { countersInPostgres, startSweepingCounts } from '#app/platform/shared-counters.server.ts'
import { fillDemoShop } from '#demo/fill.server.ts'
import { accountsOfEverybody } from './known-passwords.ts'
import { openFiles } from './open-files.ts'
import { openChannel } from './open-channel.ts'
import { ensureOwnerPassword } from './owner-password.ts'
import { inTurn } from './start-in-turn.ts'
import { openSecrets } from './secrets.ts'

export type OpenShop = {
  shop: Shop
  /** how the owner signs in; `hint` tells the password when it has just been made */
  owner: { email: string; hint: string }
  /** whoever follows requests inside the router (046) */
  watchers: ServerInstrumentation[]
  close: () => Promise<void>
}

/** Loaded only here: a shop whose requests nobody follows starts without it. */
async function openTracesOf({ databaseUrl }: Env, settings: NonNullable<Env['watch']['traces']>): Promise<Traces> {
  const { openTraces } = await import('#app/platform/traces.server.ts')
  return openTraces({ ...settings, version: thisPackage.version, dialect: databaseUrl ? 'postgresql' : 'sqlite' })
}

/**
 * `say` tells the person at the terminal what takes time. For commands beside the shop: `isServed` false leaves out the demo shop and
 * whatever works in the background; `isAlone` refuses while another process has the SQLite file open, and keeps others out.
 */
export const openShop = (env: Env, say: (line: string) => void = () => {}, { isServed = true, isAlone = false } = {}): Promise<OpenShop> =>
  inTurn(env.listenUrl, () => open(env, say, isServed, isAlone), say)

async function open(env: Env, say: (line: string) => void, isServed: boolean, isAlone: boolean): Promise<OpenShop> {
  await mkdir(env.dataDir, { recursive: true, mode: 0o700 })
  const traces = isServed && env.watch.traces ? await openTracesOf(env, env.watch.traces) : null
  const { db, dialect, pool, snapshot, backUp, close } = env.databaseUrl
    ? openPostgres(env.databaseUrl, env.connections, traces?.onQuery)
    : openSqliteDatabase(env.dataDir, isAlone, traces?.onQuery)
  const now = () => Date.now()
  const migrated = await migrate(db, dialect, backUp)
  if (migrated.length > 0) say(`Database brought up to date (${migrated.length} steps).`)
  await dropPlanFolders(env.dataDir)
  const files = await openFiles(env, now)
  // Before the keys are read: those of the archive may not be in their place yet.
  const settled = await settleRestore(db, { dataDir: env.dataDir, files })
  if (settled) say(`A restore had been broken off; it was ${settled}.`)
  const secrets = await openSecrets(env)
  const providers = { list: env.providers, origin: originOfLetters(env) }
  const auth = openAuth({ db, dialect, secret: secrets.session, publicUrl: env.publicUrl, adminId: ADMIN_ID, providers })
  const owner = await ensureOwnerPassword(auth, env, db)
  if (isServed && isProduction(env)) refuseIfAny(await accountsOfEverybody(db, auth))
  const errors = await openErrorTally(join(env.dataDir, 'errors.json'), now)
  const log = openLog({ level: env.watch.logLevel, onError: errors.count })
  const { live, close: closeLive } = await openChannel({ db, url: isServed ? env.listenUrl : null, secrets, log })
  const codes = openLetterCodes(secrets.codes)
  const letters = openLetters({ smtpUrl: env.smtpUrl, from: env.ownerEmail, folder: join(env.dataDir, 'outbox'), fill: codes.fill })
  const shop: Shop = {
    db,
    auth,
    authSync: openAuthSync({ live, target: env.authSync, issuer: env.publicUrl, now, log }),
    behind: openBehind({ log }),
    files,
    pictures: openPictures({ db, files, now, log, live }),
    live,
    mail: openMail({ db, letters, now, log, changed: () => live.changed('mail') }),
    log,
    limits: openRateLimits(true, pool && countersInPostgres(pool)),
    formTime: openFormTime(secrets.forms),
    codes,
    backup: { ...env.backup, snapshot, dialect, secrets: join(env.dataDir, 'secrets') },
    now,
    timeZone: env.timeZone,
    publicUrl: env.publicUrl,
    providers,
    letterOrigin: originOfLetters(env),
    machine: { dataDir: env.dataDir, startedAt: now(), version: thisPackage.version, errors },
  }
  const watchers = traces ? [traces.watcher] : []
  if (!isServed) return { shop, owner, watchers, close }
  if (env.demo) await fillDemoShop(shop, say)
  await ensureCategories(shop)
  const stopMail = await shop.mail.start()
  const stopPictures = shop.pictures.start()
  const stopSweeping = startSweeping(shop)
  const stopSweepingGuests = startSweepingGuests(shop)
  const stopSweepingPlans = startSweepingPlans(shop)
  const stopSweepingCounts = startSweepingCounts(shop)
  const stopReminders = startReminders(shop, shop.letterOrigin)
  const stopBackups = startBackups(shop)
  return {
    shop,
    owner,
    watchers,
    async close() {
      await shop.behind.close()
      const stopTimers = [
        stopReminders().then(stopMail),
        stopPictures(),
        stopSweeping(),
        stopSweepingGuests(),
        stopSweepingPlans(),
        stopSweepingCounts(),
        stopBackups(),
      ]
      await Promise.all([...stopTimers, shop.authSync.close()])
      await closeLive()
      await errors.close()
      await traces?.close()
      await close()
    },
  }
}
