import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import { discardStagedRestore, finishRestore } from '#backups/restore-backup.server.ts'
import { startBackups } from '#backups/backups.server.ts'
import { ensureCategories } from '#categories/edit-categories.server.ts'
import { startRemovingExpiredBuyers } from '#account/delete-account/invoice-retention.server.ts'
import { startDeletingIdleGuests } from '#auth/guests/delete-guests.server.ts'
import { startEndingHolds } from '#holds/holds.server.ts'
import { startExpiringOffers } from '#offers/offers.server.ts'
import { startOfferingTickets } from '#testimonials/offer-tickets.server.ts'
import { startReminders } from '#messaging/reminders/reminders.server.ts'
import { startDeletingOrphans } from '#images/edit-images.server.ts'
import { createAuth } from '#services/auth.server.ts'
import { createAuthWebhook } from '#services/auth-webhook.server.ts'
import type { AppServices } from '#services/context.ts'
import { openSqliteDatabase, type Database } from '#services/database.server.ts'
import { emailLinkOrigin, type Env } from '#lib/config/env.server.ts'
import { US_DOLLAR } from '#lib/text/currency.ts'
import { createBackgroundTasks } from '#lib/jobs/background-tasks.server.ts'
import { createErrorCounter } from '#lib/telemetry/error-counter.server.ts'
import { createFormTimestamp } from '#lib/http/form-timestamp.server.ts'
import { createVerificationCodes } from '#lib/auth/verification-codes.server.ts'
import { readMailExchangers } from '#lib/email/mail-exchangers.server.ts'
import { createEmailTransport } from '#lib/email/transport.server.ts'
import { readMailboxServer } from '#admin/mail/mail.server.ts'
import { createLive, topicRules } from '#services/live-topics.server.ts'
import { createLog, type Log } from '#lib/telemetry/log.server.ts'
import { createOutbox } from '#services/outbox.server.ts'
import { createImageStore } from '#services/image-store.server.ts'
import { isProduction, throwIfInvalid } from '#lib/config/production-checks.server.ts'
import { createPostgresCounters, createRateLimits } from '#services/rate-limits.server.ts'
import thisPackage from '../package.json' with { type: 'json' }
import { fillDemoShop } from '#demo/fill.server.ts'
import { ensureScenes } from '#demo/images.server.ts'
import { openFileStorage } from './open-storage.ts'
import { applyConfiguredPassword, findAccountsWithDefaultPasswords } from './passwords.ts'
import { withStartupLock } from './startup-lock.ts'
import { fingerprintSecrets, loadSecrets, type Secrets } from './secrets.ts'

const now = () => Date.now()

type StartOptions = { isServed?: boolean; isAlone?: boolean }

export const createServices = (
  env: Env,
  say: (line: string) => void = () => {},
  options: StartOptions = {},
) => withStartupLock(env.listenUrl, () => openServices(env, say, options), say)

async function openServices(
  env: Env,
  say: (line: string) => void,
  { isServed = true, isAlone = false }: StartOptions,
) {
  await mkdir(env.dataDir, { recursive: true, mode: 0o700 })
  // A restore moves the database and the secrets, so it runs before they open.
  if (await finishRestore(env.dataDir)) say('An interrupted restore was completed.')
  const database = env.databaseUrl
    ? (await import('#services/postgres.server.ts')).openPostgres(env.databaseUrl, env.connections)
    : openSqliteDatabase(env.dataDir, isAlone)
  const { db, dialect } = database
  const migrated = await migrate(db, dialect)
  if (migrated.length > 0) say('Database brought up to date.')
  const storage = await openFileStorage(env, now)
  await discardStagedRestore(env.dataDir)
  const secrets = await loadSecrets(env)
  const auth = createAuth({
    db,
    dialect,
    secret: secrets.session,
    publicUrl: env.publicUrl,
    providers: env.providers,
    origin: emailLinkOrigin(env),
  })
  const owner = await applyConfiguredPassword(auth, env, db)
  if (isServed && isProduction(env)) {
    throwIfInvalid(await findAccountsWithDefaultPasswords(db, auth))
  }
  const errors = await createErrorCounter(join(env.dataDir, 'errors.json'), now)
  const log = createLog({ level: env.watch.logLevel, onError: errors.count })
  const bus = await createLiveBus(db, isServed ? env.listenUrl : null, secrets, log)
  const services = createAppServices(env, {
    ...database,
    auth,
    errors,
    live: bus.live,
    log,
    secrets,
    storage,
  })
  if (!isServed) {
    const close = async () => {
      if (env.databaseUrl) await (await importChangeBus()).publishEverything(db)
      await database.close()
    }
    return { services, owner, close }
  }
  if (env.demo) await fillDemoShop(services, say)
  await ensureScenes(services)
  await ensureCategories(services)
  const stopJobs = await startJobs(services)
  return {
    services,
    owner,
    async close() {
      await services.backgroundTasks.close()
      await stopJobs()
      await bus.close()
      await errors.close()
      await database.close()
    },
  }
}

const importChangeBus = () => import('#lib/realtime/postgres-change-bus.server.ts')

async function createLiveBus(db: Db, url: string | null, secrets: Secrets, log: Log) {
  if (url === null) return { live: createLive(), close: async () => {} }
  const live = (await importChangeBus()).createPostgresChangeBus({
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

type OpenParts = Database &
  Pick<AppServices, 'auth' | 'live' | 'log' | 'storage'> &
  Pick<AppServices['processInfo'], 'errors'> & { secrets: Secrets }

function createAppServices(
  env: Env,
  { db, dialect, pool, copyDatabase, auth, errors, live, log, secrets, storage }: OpenParts,
) {
  const verificationCodes = createVerificationCodes(secrets.codes)
  const transport = createEmailTransport({
    readServer: async () =>
      (await readMailboxServer(db, secrets.mailbox, env.ownerEmail)) ??
      (env.smtpUrl ? { url: env.smtpUrl, from: env.ownerEmail } : null),
    from: env.ownerEmail,
    folder: join(env.dataDir, 'outbox'),
    fill: verificationCodes.fill,
  })
  const { authSync: target, publicUrl, timeZone } = env
  return {
    db,
    auth,
    authWebhook: createAuthWebhook({ db, live, target, issuer: publicUrl, now, log }),
    backgroundTasks: createBackgroundTasks({ log }),
    storage,
    images: createImageStore({ db, files: storage, now, log, live }),
    live,
    outbox: createOutbox({ db, transport, now, log, changed: () => live.changed('mail') }),
    log,
    rateLimits: createRateLimits(true, pool && createPostgresCounters(pool)),
    formTimestamp: createFormTimestamp(secrets.forms),
    verificationCodes,
    mailboxSecret: secrets.mailbox,
    readMailExchangers,
    backup: { ...env.backup, copyDatabase, dialect, secrets: join(env.dataDir, 'secrets') },
    now,
    timeZone,
    defaultTimeZone: timeZone,
    currency: US_DOLLAR,
    publicUrl,
    providers: env.providers.map(({ id, name }) => ({ id, name })),
    emailLinkOrigin: emailLinkOrigin(env),
    processInfo: { dataDir: env.dataDir, startedAt: now(), version: thisPackage.version, errors },
  }
}

async function startJobs(services: AppServices) {
  const { authWebhook } = services
  const stops = [
    await services.outbox.start(),
    services.images.start(),
    authWebhook.start(),
    startDeletingOrphans(services),
    startDeletingIdleGuests(services),
    startRemovingExpiredBuyers(services),
    startExpiringOffers(services),
    startOfferingTickets(services),
    startEndingHolds(services),
    startReminders(services),
    startBackups(services),
  ]
  return async () => {
    await Promise.all([...stops.map((stop) => stop()), authWebhook.close()])
  }
}
