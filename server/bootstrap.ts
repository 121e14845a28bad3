import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerInstrumentation } from 'react-router'
import { migrate } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { discardStagedRestore, finishRestore } from '#app/features/backups/restore-backup.server.ts'
import { startBackups } from '#app/features/backups/backups.server.ts'
import { ensureCategories } from '#app/features/categories/edit-categories.server.ts'
import { startSweepingGuests } from '#app/features/auth/guests/delete-guests.server.ts'
import { startReminders } from '#app/features/messaging/reminders/reminders.server.ts'
import { startSweeping } from '#app/features/images/edit-pictures.server.ts'
import { openAuth } from '#app/platform/auth.server.ts'
import { openAuthSync } from '#app/platform/auth-sync.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { originOfLetters, type Env } from '#app/platform/env.server.ts'
import { openBehind } from '#app/platform/behind.server.ts'
import { openErrorTally } from '#app/platform/error-tally.server.ts'
import { openFormTime } from '#app/platform/form-time.server.ts'
import { openLetterCodes } from '#app/platform/letter-codes.server.ts'
import { openLetters } from '#app/platform/letters.server.ts'
import { openLive, topicRules, type Live } from '#app/platform/live.server.ts'
import { openLog, type Log } from '#app/platform/log.server.ts'
import { openMail } from '#app/platform/mail.server.ts'
import { openPictures } from '#app/platform/pictures.server.ts'
import { isProduction, refuseIfAny } from '#app/platform/production.server.ts'
import type { Traces } from '#app/platform/traces.server.ts'
import { countersInPostgres, openRateLimits } from '#app/platform/rate-limits.server.ts'
import thisPackage from '../package.json' with { type: 'json' }
import { fillDemoShop } from '#demo/fill.server.ts'
import { accountsOfEverybody } from './known-passwords.ts'
import { openFiles } from './open-files.ts'
import { ensureOwnerPassword } from './admin-password.ts'
import { withStartupLock } from './startup-lock.ts'
import { markOfSecrets, openSecrets, type Secrets } from './secrets.ts'

type Services = {
  shop: Shop
  /** how the owner signs in; `hint` tells the password when it has just been made */
  owner: { email: string; hint: string }
  watchers: ServerInstrumentation[]
  close: () => Promise<void>
}

/** Loaded only here: a shop whose requests nobody follows starts without it. */
async function openTracesOf({ databaseUrl }: Env, settings: NonNullable<Env['watch']['traces']>): Promise<Traces> {
  const { openTraces } = await import('#app/platform/traces.server.ts')
  return openTraces({ ...settings, version: thisPackage.version, dialect: databaseUrl ? 'postgresql' : 'sqlite' })
}

/** 051. `url` null: all who write are in this process. */
async function openChangeBus(db: Db, url: string | null, secrets: Secrets, log: Log): Promise<{ live: Live; close: () => Promise<void> }> {
  if (url === null) return { live: openLive(), close: async () => {} }
  const { createPostgresChangeBus } = await import('#app/lib/realtime/postgres-change-bus.server.ts')
  const live = createPostgresChangeBus({ db, url, fingerprint: markOfSecrets(secrets), topics: topicRules, log })
  if (await live.start()) return { live, close: live.close }
  await live.close()
  throw new Error(
    'Another process of this shop is open and has other secrets: SHOP_SECRET, or the folder DATA_DIR/secrets, must be the same',
  )
}

/** For commands: `isServed` false leaves out the demo shop and background work; `isAlone` refuses while another process has the SQLite file open. */
export const createServices = (
  env: Env,
  say: (line: string) => void = () => {},
  { isServed = true, isAlone = false } = {},
): Promise<Services> => withStartupLock(env.listenUrl, () => open(env, say, isServed, isAlone), say)

async function open(env: Env, say: (line: string) => void, isServed: boolean, isAlone: boolean): Promise<Services> {
  await mkdir(env.dataDir, { recursive: true, mode: 0o700 })
  // Before the database is opened and the keys are read: they may not be in their place yet.
  if (await finishRestore(env.dataDir)) say('A restore had been broken off; it was finished.')
  const traces = isServed && env.watch.traces ? await openTracesOf(env, env.watch.traces) : null
  const { db, dialect, pool, copyDatabase, close } = env.databaseUrl
    ? (await import('#app/lib/db/postgres.server.ts')).openPostgres(env.databaseUrl, env.connections, traces?.onQuery)
    : openSqliteDatabase(env.dataDir, isAlone, traces?.onQuery)
  const now = () => Date.now()
  const migrated = await migrate(db, dialect)
  if (migrated.length > 0) say('Database brought up to date.')
  const files = await openFiles(env, now)
  // What a restore that was killed before its end has left; nobody can restore now, since the database is open.
  await discardStagedRestore(env.dataDir)
  const secrets = await openSecrets(env)
  const providers = { list: env.providers, origin: originOfLetters(env) }
  const auth = openAuth({ db, dialect, secret: secrets.session, publicUrl: env.publicUrl, adminId: ADMIN_ID, providers })
  const owner = await ensureOwnerPassword(auth, env, db)
  if (isServed && isProduction(env)) refuseIfAny(await accountsOfEverybody(db, auth))
  const errors = await openErrorTally(join(env.dataDir, 'errors.json'), now)
  const log = openLog({ level: env.watch.logLevel, onError: errors.count })
  const { live, close: closeLive } = await openChangeBus(db, isServed ? env.listenUrl : null, secrets, log)
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
    backup: { ...env.backup, copyDatabase, dialect, secrets: join(env.dataDir, 'secrets') },
    now,
    timeZone: env.timeZone,
    publicUrl: env.publicUrl,
    providers,
    letterOrigin: originOfLetters(env),
    machine: { dataDir: env.dataDir, startedAt: now(), version: thisPackage.version, errors },
  }
  const watchers = traces ? [traces.watcher] : []
  if (!isServed) {
    // The shop may be open elsewhere on the same PostgreSQL, and a command has written past it.
    const closeCommand = async () => {
      if (env.databaseUrl) await (await import('#app/lib/realtime/postgres-change-bus.server.ts')).publishEverything(db)
      await close()
    }
    return { shop, owner, watchers, close: closeCommand }
  }
  if (env.demo) await fillDemoShop(shop, say)
  await ensureCategories(shop)
  const stopMail = await shop.mail.start()
  const stopPictures = shop.pictures.start()
  const stopSweeping = startSweeping(shop)
  const stopSweepingGuests = startSweepingGuests(shop)
  const stopReminders = startReminders(shop, shop.letterOrigin)
  const stopBackups = startBackups(shop)
  return {
    shop,
    owner,
    watchers,
    async close() {
      await shop.behind.close()
      const stopTimers = [stopReminders().then(stopMail), stopPictures(), stopSweeping(), stopSweepingGuests(), stopBackups()]
      await Promise.all([...stopTimers, shop.authSync.close()])
      await closeLive()
      await errors.close()
      await traces?.close()
      await close()
    },
  }
}
