import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerInstrumentation } from 'react-router'
import { migrate } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { discardStagedRestore, finishRestore } from '#app/features/backups/restore-backup.server.ts'
import { startBackups } from '#app/features/backups/backups.server.ts'
import { ensureCategories } from '#app/features/categories/edit-categories.server.ts'
import { startDeletingIdleGuests } from '#app/features/auth/guests/delete-guests.server.ts'
import { startEndingHolds } from '#app/features/holds/holds.server.ts'
import { startExpiringOffers } from '#app/features/offers/offers.server.ts'
import { startOfferingTickets } from '#app/features/testimonials/offer-tickets.server.ts'
import { startReminders } from '#app/features/messaging/reminders/reminders.server.ts'
import { startDeletingOrphans } from '#app/features/images/edit-images.server.ts'
import { createAuth } from '#app/services/auth.server.ts'
import { createAuthWebhook } from '#app/lib/auth/auth-webhook.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { emailLinkOrigin, type Env } from '#app/lib/config/env.server.ts'
import { US_DOLLAR } from '#app/lib/text/currency.ts'
import { createBackgroundTasks } from '#app/lib/jobs/background-tasks.server.ts'
import { createErrorCounter } from '#app/lib/telemetry/error-counter.server.ts'
import { createFormTimestamp } from '#app/lib/http/form-timestamp.server.ts'
import { createVerificationCodes } from '#app/lib/auth/verification-codes.server.ts'
import { createEmailTransport } from '#app/lib/email/transport.server.ts'
import { readMailboxServer } from '#app/features/admin/email-outbox/mailbox.server.ts'
import { createLive, topicRules, type Live } from '#app/services/live-topics.server.ts'
import { createLog, type Log } from '#app/lib/telemetry/log.server.ts'
import { createOutbox } from '#app/lib/email/outbox.server.ts'
import { createImageStore } from '#app/lib/images/image-store.server.ts'
import { isProduction, throwIfInvalid } from '#app/lib/config/production-checks.server.ts'
import type { Traces } from '#app/lib/telemetry/traces.server.ts'
import { createPostgresCounters, createRateLimits } from '#app/services/rate-limits.server.ts'
import thisPackage from '../package.json' with { type: 'json' }
import { fillDemoShop } from '#demo/fill.server.ts'
import { ensureScenes } from '#demo/images.server.ts'
import { findAccountsWithDefaultPasswords } from './default-credentials.ts'
import { openFileStorage } from './open-storage.ts'
import { applyConfiguredPassword } from './admin-password.ts'
import { withStartupLock } from './startup-lock.ts'
import { fingerprintSecrets, loadSecrets, type Secrets } from './secrets.ts'

type Services = {
  services: AppServices
  /** the email address with which the owner signs in, and a `hint` for the console about her generated password */
  owner: { email: string; hint: string }
  watchers: ServerInstrumentation[]
  close: () => Promise<void>
}

/** Loads the code for traces. The shop calls this function only if traces are turned on. */
async function loadTraces(
  { databaseUrl }: Env,
  settings: NonNullable<Env['watch']['traces']>,
): Promise<Traces> {
  const { createTraces } = await import('#app/lib/telemetry/traces.server.ts')
  return createTraces({
    ...settings,
    version: thisPackage.version,
    dialect: databaseUrl ? 'postgresql' : 'sqlite',
  })
}

/** Creates the change bus. `url` is the PostgreSQL URL, or null if there is no other process to notify. */
async function createLiveBus(
  db: Db,
  url: string | null,
  secrets: Secrets,
  log: Log,
): Promise<{ live: Live; close: () => Promise<void> }> {
  if (url === null) return { live: createLive(), close: async () => {} }
  const { createPostgresChangeBus } =
    await import('#app/lib/realtime/postgres-change-bus.server.ts')
  const live = createPostgresChangeBus({
    db,
    url,
    fingerprint: fingerprintSecrets(secrets),
    topics: topicRules,
    log,
  })
  if (await live.start()) return { live, close: live.close }
  await live.close()
  throw new Error(
    'Another process of this shop is open and has other secrets: APP_SECRET, or the folder DATA_DIR/secrets, must be the same',
  )
}

/** Creates all app services. `isServed` is false for commands, which need no demo shop and no background work. If `isAlone` is true, no other process may use the SQLite file. */
export const createServices = (
  env: Env,
  say: (line: string) => void = () => {},
  { isServed = true, isAlone = false } = {},
): Promise<Services> =>
  withStartupLock(env.listenUrl, () => openServices(env, say, isServed, isAlone), say)

async function openServices(
  env: Env,
  say: (line: string) => void,
  isServed: boolean,
  isAlone: boolean,
): Promise<Services> {
  await mkdir(env.dataDir, { recursive: true, mode: 0o700 })
  // An interrupted restore must move the database and the secrets before they are opened.
  if (await finishRestore(env.dataDir)) say('An interrupted restore was completed.')
  const traces = isServed && env.watch.traces ? await loadTraces(env, env.watch.traces) : null
  const { db, dialect, pool, copyDatabase, close } = env.databaseUrl
    ? (await import('#app/lib/db/postgres.server.ts')).openPostgres(
        env.databaseUrl,
        env.connections,
        traces?.onQuery,
      )
    : openSqliteDatabase(env.dataDir, isAlone, traces?.onQuery)
  const now = () => Date.now()
  const migrated = await migrate(db, dialect)
  if (migrated.length > 0) say('Database brought up to date.')
  const files = await openFileStorage(env, now)
  await discardStagedRestore(env.dataDir)
  const secrets = await loadSecrets(env)
  const providers = { list: env.providers, origin: emailLinkOrigin(env) }
  const auth = createAuth({
    db,
    dialect,
    secret: secrets.session,
    publicUrl: env.publicUrl,
    adminId: ADMIN_ID,
    providers,
  })
  const owner = await applyConfiguredPassword(auth, env, db)
  if (isServed && isProduction(env))
    throwIfInvalid(await findAccountsWithDefaultPasswords(db, auth))
  const errors = await createErrorCounter(join(env.dataDir, 'errors.json'), now)
  const log = createLog({ level: env.watch.logLevel, onError: errors.count })
  const { live, close: closeLive } = await createLiveBus(
    db,
    isServed ? env.listenUrl : null,
    secrets,
    log,
  )
  const codes = createVerificationCodes(secrets.codes)
  const transport = createEmailTransport({
    readServer: async () =>
      (await readMailboxServer(db, secrets.mailbox, env.ownerEmail)) ??
      (env.smtpUrl ? { url: env.smtpUrl, from: env.ownerEmail } : null),
    from: env.ownerEmail,
    folder: join(env.dataDir, 'outbox'),
    fill: codes.fill,
  })
  const services: AppServices = {
    db,
    auth,
    authWebhook: createAuthWebhook({
      db,
      live,
      target: env.authSync,
      issuer: env.publicUrl,
      now,
      log,
    }),
    backgroundTasks: createBackgroundTasks({ log }),
    storage: files,
    images: createImageStore({ db, files, now, log, live }),
    live,
    outbox: createOutbox({ db, transport, now, log, changed: () => live.changed('mail') }),
    log,
    rateLimits: createRateLimits(true, pool && createPostgresCounters(pool)),
    formTimestamp: createFormTimestamp(secrets.forms),
    verificationCodes: codes,
    mailboxSecret: secrets.mailbox,
    backup: { ...env.backup, copyDatabase, dialect, secrets: join(env.dataDir, 'secrets') },
    now,
    timeZone: env.timeZone,
    defaultTimeZone: env.timeZone,
    currency: US_DOLLAR,
    publicUrl: env.publicUrl,
    providers,
    emailLinkOrigin: emailLinkOrigin(env),
    processInfo: { dataDir: env.dataDir, startedAt: now(), version: thisPackage.version, errors },
  }
  const watchers = traces ? [traces.watcher] : []
  if (!isServed) {
    // A shop may be running on the same PostgreSQL database. Its processes are notified that the command has changed data.
    const closeCommand = async () => {
      if (env.databaseUrl)
        await (
          await import('#app/lib/realtime/postgres-change-bus.server.ts')
        ).publishEverything(db)
      await close()
    }
    return { services, owner, watchers, close: closeCommand }
  }
  if (env.demo) await fillDemoShop(services, say)
  await ensureScenes(services)
  await ensureCategories(services)
  const stopMail = await services.outbox.start()
  const stopPictures = services.images.start()
  const stopWebhook = services.authWebhook.start()
  const stopDeletingOrphans = startDeletingOrphans(services)
  const stopDeletingGuests = startDeletingIdleGuests(services)
  const stopExpiringOffers = startExpiringOffers(services)
  const stopOfferingTickets = startOfferingTickets(services, services.emailLinkOrigin)
  const stopEndingHolds = startEndingHolds(services)
  const stopReminders = startReminders(services, services.emailLinkOrigin)
  const stopBackups = startBackups(services)
  return {
    services,
    owner,
    watchers,
    async close() {
      await services.backgroundTasks.close()
      const stopTimers = [
        stopReminders(),
        stopMail(),
        stopExpiringOffers(),
        stopOfferingTickets(),
        stopEndingHolds(),
        stopPictures(),
        stopWebhook(),
        stopDeletingOrphans(),
        stopDeletingGuests(),
        stopBackups(),
      ]
      await Promise.all([...stopTimers, services.authWebhook.close()])
      await closeLive()
      await errors.close()
      await traces?.close()
      await close()
    },
  }
}
