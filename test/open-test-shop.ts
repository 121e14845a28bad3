/** A fresh shop for a test: its own database (SQLite in memory, or PostgreSQL), a clock of its own, people who speak to it through the front door. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createRequestHandler } from '#server/request-handler.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { ensureOwner, openAuth } from '#app/platform/auth.server.ts'
import { openAuthSync, type SyncTarget } from '#app/platform/auth-sync.server.ts'
import { openBehind } from '#app/platform/behind.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { diskFiles, type Files } from '#app/platform/files.server.ts'
import { openErrorTally } from '#app/platform/error-tally.server.ts'
import { openFormTime } from '#app/platform/form-time.server.ts'
import { openLetterCodes } from '#app/platform/letter-codes.server.ts'
import { openLetters } from '#app/platform/letters.server.ts'
import { openLive, type Topic } from '#app/platform/live.server.ts'
import type { Log } from '#app/platform/log.server.ts'
import { openMail, type Patience } from '#app/platform/mail.server.ts'
import { openPictures } from '#app/platform/pictures.server.ts'
import type { Providers } from '#app/platform/providers.server.ts'
import { openRateLimits } from '#app/platform/rate-limits.server.ts'
import type { Db } from '#db/schema.ts'
import type { AtTheEnd } from './open-process.ts'
import { person } from './person.ts'
import { rememberedPasswords } from './remembered-passwords.ts'
import { openTestDatabase } from './test-database.ts'
import { writesNoticed } from './writes-noticed.ts'

export const ORIGIN = 'http://shop.test'
export const OWNER = { email: 'owner@shop.test', password: 'a-good-password' }
/** Wednesday, March 4, 2026, noon UTC */
export const NOON = Date.UTC(2026, 2, 4, 12)

/** Each shop's visitors come from an address of their own: the authentication library counts tries by address for the whole process. */
let shops = 0

export async function openTestShop({
  now = NOON,
  timeZone = 'UTC',
  rateLimits = false,
  /** where people reach it; http://shop.test like most tests */
  publicUrl = ORIGIN,
  smtpUrl = null as string | null,
  patience = {} as Patience,
  authSync = null as (SyncTarget & { ofTry?: number }) | null,
  providers = { list: [], origin: null } as Providers,
  /** unset: on the disk, in a folder of its own */
  files: given = undefined as Files | undefined,
  /** unset: kept in `logged` */
  log: ownLog = undefined as Log | undefined,
  /** what stands between the shop and its database: tests that look at its queries */
  through = (db: Db) => db,
  /** what stands between the shop and its PostgreSQL (cut-line.ts) */
  reach = undefined as ((url: string) => Promise<string>) | undefined,
  /** when it closes: with the test, unless several tests share it */
  atTheEnd = onTestFinished as AtTheEnd,
} = {}) {
  const address = `10.0.${Math.floor(++shops / 250)}.${(shops % 250) + 1}`
  const folder = await mkdtemp(join(tmpdir(), 'shop-'))
  const { db: opened, dialect, copyDatabase, close } = await openTestDatabase(reach)
  const db = through(opened)
  atTheEnd(async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  })
  const clock = { now }
  const log: { level: string; message: string; error?: unknown }[] = []
  const heard: Topic[] = []
  const live = openLive()
  live.onChange((topics) => heard.push(...topics))
  const auth = openAuth({
    db,
    dialect,
    secret: 'a-secret-for-tests-of-32-letters',
    publicUrl,
    adminId: ADMIN_ID,
    providers,
    password: rememberedPasswords,
  })
  await ensureOwner(auth, { id: ADMIN_ID, name: 'Ona Owner', ...OWNER })
  const files = given ?? diskFiles(join(folder, 'files'))
  const logger: Log = ownLog ?? {
    info: (message: string) => void log.push({ level: 'info', message }),
    error: (message: string, error: unknown) => void log.push({ level: 'error', message, error }),
  }
  const at = () => clock.now
  const codes = openLetterCodes('a-secret-for-the-codes-in-letters')
  const letters = openLetters({ smtpUrl, from: OWNER.email, folder: join(folder, 'outbox'), fill: codes.fill })
  const shop: Shop = {
    db,
    auth,
    authSync: openAuthSync({
      live,
      target: authSync,
      issuer: publicUrl,
      now: at,
      log: logger,
      patience: { ofTry: authSync?.ofTry ?? 20_000, pauses: [5, 5] },
    }),
    behind: openBehind({ log: logger }),
    files,
    pictures: openPictures({ db, files, now: at, log: logger, live }),
    live,
    mail: openMail({ db, letters, now: at, log: logger, patience, changed: () => live.changed('mail') }),
    log: logger,
    limits: openRateLimits(rateLimits),
    formTime: openFormTime('a-secret-for-the-times-of-forms'),
    codes,
    backup: { copyDatabase, dialect, secrets: join(folder, 'secrets'), folder: join(folder, 'backups'), keep: 3, at: '03:30' },
    now: at,
    timeZone,
    publicUrl,
    providers,
    letterOrigin: publicUrl,
    machine: { dataDir: folder, startedAt: now, version: '0.0.0', errors: await openErrorTally(null, at) },
  }
  const app = createRequestHandler(shop)
  const visitor = () => person(app, publicUrl, address)
  return {
    ...shop,
    // The shop's own writes signal what they change; those of a test do not.
    db: db.withPlugin(writesNoticed(live)),
    shop,
    app,
    folder,
    dialect,
    clock,
    /** what was logged */
    logged: log,
    /** which topics were signalled */
    heard,
    visitor,
    async owner() {
      const owner = visitor()
      await owner.post('/login/', { intent: 'login', ...OWNER })
      return owner
    },
    /** A registered customer, signed in; `id` is her uid. The letter that confirms her address is taken away: few tests are about it. */
    async customer(email = 'ann@mail.test') {
      const customer = visitor()
      await customer.post('/login/', { intent: 'register', email, password: 'a-good-password' })
      const { id } = await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
      await db.deleteFrom('outbox').where('kind', '=', 'proof').where('toAddress', '=', email).execute()
      return Object.assign(customer, { id })
    },
    /** An anonymous guest, signed in. */
    async guest() {
      const before = new Set((await db.selectFrom('user').select('id').execute()).map((user) => user.id))
      const guest = visitor()
      await guest.post('/login/', { intent: 'guest' })
      const made = (await db.selectFrom('user').select('id').execute()).find((user) => !before.has(user.id))
      return Object.assign(guest, { id: made!.id })
    },
  }
}

export type TestShop = Awaited<ReturnType<typeof openTestShop>>
