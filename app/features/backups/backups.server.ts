/** Makes backups of a running shop, by schedule or when the owner requests one. Each process makes only one backup at a time. [S-264 to S-268] */
import { open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { TZDate } from '@date-fns/tz'
import { reauthenticate } from '#app/features/auth/reauthenticate.server.ts'
import type { AuthRequest } from '#app/features/auth/auth-client.server.ts'
import { withRegionalSettings } from '#app/features/settings/settings.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { runEvery } from '#app/lib/jobs/interval.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { formatDateTime } from '#app/ui/format-date-time.ts'
import type { BackupReason } from './backup.ts'
import { parseBackupFileName } from './backup.ts'
import {
  backupError,
  createBackup,
  listBackups,
  type StoredBackup,
} from './create-backup.server.ts'
import { openBackup, UnusableBackupError, verifyBackup } from './read-backup.server.ts'
import { backupErrorTexts, backupsTexts as texts } from './texts.ts'

type Outcome = { ok: true; name: string } | { ok: false; error: string }

/** Contains the backup that each shop is making at the moment. Usually a process has one shop, but tests open several shops in one process. */
const running = new WeakMap<
  AppServices['backup'],
  { reason: BackupReason; work: Promise<Outcome> }
>()

/**
 * Makes a backup, or waits for the backup that is already being made for the same reason. A backup for another reason is made afterwards, because automatic backups
 * are deleted after some nights. `id` is the id of the backup's row in the database. [S-264, S-265]
 */
export function backUp(
  app: AppServices,
  reason: BackupReason,
  { id = newId15(), signal }: { id?: string; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const begun = running.get(app.backup)
  if (begun?.reason === reason) return begun.work
  const make = () => createAndNote(app, reason, id, signal)
  const work = (begun ? begun.work.then(make) : make()).finally(() => {
    if (running.get(app.backup)?.work === work) running.delete(app.backup)
    app.live.changed('backups')
  })
  running.set(app.backup, { reason, work })
  return work
}

async function createAndNote(
  app: AppServices,
  reason: BackupReason,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { db, log, now } = app
  try {
    await db
      .insertInto('backups')
      .values({ id, reason, startedAt: now(), finishedAt: null, error: null })
      .onConflict((claimed) => claimed.doNothing())
      .execute()
    const { name, files, size, missing } = await createBackup(app, reason, signal)
    await db.updateTable('backups').set({ finishedAt: now() }).where('id', '=', id).execute()
    // The field is called `archive`, because the log redacts a field called `name`.
    log.info('a backup was made', { archive: name, files, size })
    if (missing.length > 0)
      log.error('a backup lacks images whose files are missing', undefined, {
        count: missing.length,
      })
    return { ok: true, name }
  } catch (error) {
    if (signal?.aborted) return { ok: false, error: backupErrorTexts.stopped }
    log.error('a backup could not be made', error)
    const failure = backupError(error)
    // On a full disk, this write may fail, too. The caller still gets the error of the backup.
    await db
      .updateTable('backups')
      .set({ error: failure })
      .where('id', '=', id)
      .execute()
      .catch(() => {})
    return { ok: false, error: failure }
  }
}

/** Returns when the local time `at`, such as "03:30", last occurred in the shop's time zone, in UTC milliseconds. */
export function lastRun(at: string, now: number, timeZone: string): number {
  const today = timeOf(at, now, timeZone, 0)
  return today <= now ? today : timeOf(at, now, timeZone, -1)
}

export function nextRun(at: string, now: number, timeZone: string): number {
  const today = timeOf(at, now, timeZone, 0)
  return today > now ? today : timeOf(at, now, timeZone, 1)
}

/** If a clock change skips the local time, returns the time one hour later. */
function timeOf(at: string, now: number, timeZone: string, days: number): number {
  const [hour, minute] = at.split(':').map(Number)
  const day = new TZDate(now, timeZone)
  return new TZDate(
    day.getFullYear(),
    day.getMonth(),
    day.getDate() + days,
    hour!,
    minute!,
    timeZone,
  ).getTime()
}

const MINUTE_MS = 60_000
/** The shop tries again `RETRY_MS` after the start of a failed backup. If the process was killed during the backup, the shop waits `GIVEN_UP_MS`. */
const [RETRY_MS, GIVEN_UP_MS] = [60 * MINUTE_MS, 6 * 60 * MINUTE_MS]

/** Makes the nightly backup if it is due. Returns true if the shop tried to make it, even if it failed. */
export async function backUpIfDue(app: AppServices, signal?: AbortSignal): Promise<boolean> {
  const { at, folder } = app.backup
  if (at === null) return false
  const { timeZone } = await withRegionalSettings(app)
  const due = lastRun(at, app.now(), timeZone)
  const isMade = (await listBackups(folder)).some(
    (backup) => backup.reason === 'nightly' && backup.at >= due,
  )
  const id = `nightly-${new Date(due).toISOString()}`
  if (isMade || !(await claimBackup(app, id))) return false
  await backUp(app, 'nightly', { id, ...(signal && { signal }) })
  return true
}

/** Returns true in only one process, which then makes the backup. If that process is killed, another process may make the backup after six hours. */
async function claimBackup({ db, now }: AppServices, id: string): Promise<boolean> {
  const row = { reason: 'nightly', startedAt: now(), finishedAt: null, error: null }
  const claimed = await db
    .insertInto('backups')
    .values({ id, ...row })
    .onConflict((same) =>
      same
        .column('id')
        .doUpdateSet(row)
        .where('backups.finishedAt', 'is', null)
        .where((is) =>
          is.or([
            is.and([
              is('backups.error', 'is not', null),
              is('backups.startedAt', '<=', now() - RETRY_MS),
            ]),
            is('backups.startedAt', '<=', now() - GIVEN_UP_MS),
          ]),
        ),
    )
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

/** Returns a function that stops the schedule and aborts a running nightly backup. */
export function startBackups(app: AppServices): () => Promise<void> {
  const stopped = new AbortController()
  let checks: Promise<unknown> = Promise.resolve()
  const check = () => (checks = checks.catch(() => {}).then(() => backUpIfDue(app, stopped.signal)))
  const failure = 'the backup schedule could not be checked'
  const stop = runEvery({ every: 10 * MINUTE_MS, failure, log: app.log, isBegunNow: false }, check)
  return async () => {
    stopped.abort()
    await stop()
  }
}

export type BackupFacts = {
  archives: StoredBackup[]
  /** Is false if the folder is not mounted or not readable. */
  isFolderThere: boolean
  /** Is false for a shop on PostgreSQL, whose database must be backed up with pg_dump. */
  hasDatabase: boolean
  /** Is null unless the last attempt to make a backup failed. */
  failure: { at: number; error: string } | null
  isUnderWay: boolean
  /** The time of the next scheduled backup, or null without a schedule. */
  next: number | null
}

export async function readBackups(app: AppServices): Promise<BackupFacts> {
  const { db, backup, now, timeZone } = app
  // The page must also open if the backups' folder cannot be read.
  const listed = await listBackups(backup.folder).catch(() => null)
  const archives = listed ?? []
  const last = await db
    .selectFrom('backups')
    .select(['startedAt', 'error'])
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  const hasFailed = last?.error && (archives[0]?.at ?? 0) < last.startedAt
  return {
    archives,
    isFolderThere: listed !== null,
    hasDatabase: backup.copyDatabase !== null,
    failure: hasFailed ? { at: last.startedAt, error: last.error! } : null,
    isUnderWay: running.has(backup),
    next: backup.at === null ? null : nextRun(backup.at, now(), timeZone),
  }
}

type FoundBackup = StoredBackup & { path: string }

/** Finds a backup by its file name. Returns null if no backup has this name, so that no other file can be read or deleted. */
async function findBackup(
  { backup }: Pick<AppServices, 'backup'>,
  name: string,
): Promise<FoundBackup | null> {
  if (!parseBackupFileName(name)) return null
  const found = (await listBackups(backup.folder).catch(() => [])).find((one) => one.name === name)
  return found ? { ...found, path: join(backup.folder, name) } : null
}

type BackupAction = 'make-backup' | 'download-backup' | 'delete-backup'

const recordBackupAction = (
  { db, now, timeZone }: AppServices,
  actor: string,
  act: BackupAction,
  { name, at }: Pick<StoredBackup, 'name' | 'at'>,
) =>
  inTransaction(db, (tx) =>
    recordAuditEvent(tx, {
      at: now(),
      actor,
      act,
      subject: name,
      name: formatDateTime(at, timeZone),
    }),
  )

export type BackupsResult = ActionResult & {
  checked?: { name: string; isIntact: boolean; text: string }
}
type BackupsOutcome = { answer: BackupsResult; status: number }

/** The response waits at most this many milliseconds for the backup. A small backup is finished by then. A large backup continues after the response, and the page shows its progress. */
const RESPONSE_WAIT_MS = 8000

const refused = (error: string, status: number): BackupsOutcome => ({
  answer: { ok: false, error, toasts: [error] },
  status,
})
const done = (text: string, status = 200): BackupsOutcome => ({
  answer: { ok: true, toasts: [text] },
  status,
})

export async function handleBackupsAction(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<BackupsOutcome> {
  const intent = formText(form, 'intent')
  if (intent === 'make') return createManually(app, actor)
  const backup = await findBackup(app, formText(form, 'name'))
  if (!backup) return refused(texts.gone, 404)
  if (intent === 'check') {
    const { ok, text } = await checkBackup(backup.path)
    return {
      answer: { ok, checked: { name: backup.name, isIntact: ok, text } },
      status: ok ? 200 : 422,
    }
  }
  if (intent !== 'delete' || formText(form, 'confirm') !== 'Yes')
    return refused(texts.nothingChanged, 400)
  await recordBackupAction(app, actor, 'delete-backup', backup)
  await rm(backup.path, { force: true })
  app.live.changed('backups')
  return done(texts.deleted)
}

async function createManually(app: AppServices, actor: string): Promise<BackupsOutcome> {
  const begun = backUp(app, 'by-hand').then(async (made) => {
    if (made.ok)
      await recordBackupAction(app, actor, 'make-backup', {
        name: made.name,
        at: parseBackupFileName(made.name)!.at,
      })
    return made
  })
  // The response may be sent before the audit log fails, so the failure is also logged here.
  begun.catch((error: unknown) => app.log.error('a backup could not be recorded', error))
  const made = await Promise.race([begun, pause(RESPONSE_WAIT_MS, null, { ref: false })])
  if (made === null) return done(texts.started, 202)
  return made.ok ? done(texts.created) : refused(made.error, 503)
}

async function checkBackup(path: string): Promise<{ ok: boolean; text: string }> {
  try {
    const backup = await openBackup(path)
    await verifyBackup(backup).finally(() => backup.close())
    return {
      ok: true,
      text: texts.verified({ hasDatabase: backup.hasDatabase, files: backup.files.length }),
    }
  } catch (error) {
    if (!(error instanceof UnusableBackupError)) throw error
    return { ok: false, text: `${error.message.replace(basename(path), texts.thisBackup)}.` }
  }
}

/** Returns a backup as a file, if the owner has typed her password. [S-268] */
export async function downloadBackup(
  auth: AuthRequest,
  user: User,
  form: FormData,
): Promise<Response | { error: string; status: number }> {
  const backup = await findBackup(auth.app, formText(form, 'name'))
  if (!backup) return { error: texts.gone, status: 404 }
  const reauthentication = await reauthenticate(auth, user, form)
  if (!reauthentication.ok) return reauthentication
  const file = await open(backup.path, 'r')
  await recordBackupAction(auth.app, user.id, 'download-backup', backup).catch(
    async (error: unknown) => {
      await file.close()
      throw error
    },
  )
  return new Response(
    Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array<ArrayBuffer>>,
    {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Length': String(backup.size),
        'Content-Disposition': `attachment; filename="${backup.name}"`,
        'Cache-Control': 'no-store',
      },
    },
  )
}
