import { open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { TZDate } from '@date-fns/tz'
import type { AuthRequest } from '#auth/auth-client.server.ts'
import { reauthenticate } from '#auth/reauthenticate.server.ts'
import { withRegionalSettings } from '#settings/settings.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { downloadResponse } from '#lib/http/download.server.ts'
import { type ActionTable, confirmed } from '#lib/http/form-actions.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { runEvery } from '#lib/jobs/interval.server.ts'
import { newId15 } from '#lib/text/ids.ts'
import { type AuditEvent, recordAuditEvent } from '#services/audit-log.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { type ActionOutcome, type ActionResult, done, refused } from '#ui/action-result.ts'
import { formatDateTime } from '#ui/format-date-time.ts'
import { type BackupReason, parseBackupFileName } from './backup.ts'
import {
  type StoredBackup,
  backupError,
  createBackup,
  listBackups,
} from './create-backup.server.ts'
import { openBackup, UnusableBackupError, verifyBackup } from './read-backup.server.ts'
import { backupErrorTexts, backupsTexts as texts } from './texts.ts'

type Outcome = { ok: true; name: string } | { ok: false; error: string }

const running = new WeakMap<
  AppServices['backup'],
  { reason: BackupReason; work: Promise<Outcome> }
>()

/**
 * Joins a running backup with the same reason, and waits for a backup with another reason. [S-264]
 */
export function backUp(
  app: AppServices,
  reason: BackupReason,
  { id = newId15(), signal }: { id?: string; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const current = running.get(app.backup)
  if (current?.reason === reason) return current.work
  const make = () => createAndNote(app, reason, id, signal)
  const work = (current ? current.work.then(make) : make()).finally(() => {
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
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { name, files, size, missing } = await createBackup(app, reason, signal)
    await db.updateTable('backups').set({ finishedAt: now() }).where('id', '=', id).execute()
    // The log would redact a field called `name`.
    log.info('a backup was made', { archive: name, files, size })
    if (missing.length > 0) {
      log.error('a backup lacks images whose files are missing', undefined, {
        count: missing.length,
      })
    }
    return { ok: true, name }
  } catch (error) {
    if (signal?.aborted) return { ok: false, error: backupErrorTexts.stopped }
    log.error('a backup could not be made', error)
    const failure = backupError(error)
    // A full disk may prevent this write, too.
    await db
      .updateTable('backups')
      .set({ error: failure })
      .where('id', '=', id)
      .execute()
      .catch(() => {})
    return { ok: false, error: failure }
  }
}

/** Returns the last UTC ms at which the shop's clock showed `at`, such as "03:30". */
export function lastRun(at: string, now: number, timeZone: string) {
  const today = timeOf(at, now, timeZone, 0)
  return today <= now ? today : timeOf(at, now, timeZone, -1)
}

export function nextRun(at: string, now: number, timeZone: string) {
  const today = timeOf(at, now, timeZone, 0)
  return today > now ? today : timeOf(at, now, timeZone, 1)
}

function timeOf(at: string, now: number, timeZone: string, days: number) {
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
const RETRY_MS = 60 * MINUTE_MS
const GIVEN_UP_MS = 6 * 60 * MINUTE_MS

export async function backUpIfDue(app: AppServices, signal?: AbortSignal) {
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

async function claimBackup({ db, now }: AppServices, id: string) {
  const row = { reason: 'nightly', startedAt: now(), finishedAt: null, error: null }
  const result = await db
    .insertInto('backups')
    .values({ id, ...row })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(row)
        .where('backups.finishedAt', 'is', null)
        .where((eb) =>
          eb.or([
            eb.and([
              eb('backups.error', 'is not', null),
              eb('backups.startedAt', '<=', now() - RETRY_MS),
            ]),
            eb('backups.startedAt', '<=', now() - GIVEN_UP_MS),
          ]),
        ),
    )
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export function startBackups(app: AppServices) {
  const stop = new AbortController()
  let checks: Promise<unknown> = Promise.resolve()
  const check = () => (checks = checks.catch(() => {}).then(() => backUpIfDue(app, stop.signal)))
  const failure = 'the backup schedule could not be checked'
  const stopChecks = runEvery(
    { every: 10 * MINUTE_MS, failure, log: app.log, isBegunNow: false },
    check,
  )
  return async () => {
    stop.abort()
    await stopChecks()
  }
}

export type BackupFacts = Awaited<ReturnType<typeof readBackups>>

export async function readBackups(app: AppServices) {
  const { db, backup, now, timeZone } = app
  const files = await listBackups(backup.folder).catch(() => null)
  const archives = files ?? []
  const last = await db
    .selectFrom('backups')
    .select(['startedAt', 'error'])
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  const hasFailed = last?.error && (archives[0]?.at ?? 0) < last.startedAt
  return {
    archives,
    isFolderThere: files !== null,
    hasDatabase: backup.copyDatabase !== null,
    failure: hasFailed ? { at: last.startedAt, error: last.error! } : null,
    isUnderWay: running.has(backup),
    next: backup.at === null ? null : nextRun(backup.at, now(), timeZone),
  }
}

/** Returns null if `name` is no backup, because nobody may read or delete other files. */
async function findBackup({ backup }: Pick<AppServices, 'backup'>, name: string) {
  if (!parseBackupFileName(name)) return null
  const archives = await listBackups(backup.folder).catch(() => [])
  const archive = archives.find((candidate) => candidate.name === name)
  return archive ? { ...archive, path: join(backup.folder, name) } : null
}

const recordBackupAction = (
  { db, now, timeZone }: AppServices,
  actor: string,
  act: AuditEvent['act'],
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
type BackupsOutcome = ActionOutcome<BackupsResult>

const RESPONSE_WAIT_MS = 8000

const refuse = (status: number, error: string): BackupsOutcome =>
  refused(status, { error, toasts: [error] })
const noSuchBackup = refuse(404, texts.gone)

export const backupActions: ActionTable<{ app: AppServices; actor: string }, BackupsResult> = {
  make: ({ app, actor }) => createManually(app, actor),
  async check({ app }, form) {
    const backup = await findBackup(app, formText(form, 'name'))
    if (!backup) return noSuchBackup
    const { ok, text } = await checkBackup(backup.path)
    return {
      answer: { ok, checked: { name: backup.name, isIntact: ok, text } },
      status: ok ? 200 : 422,
    }
  },
  delete: confirmed(
    async ({ app, actor }, form) => {
      const backup = await findBackup(app, formText(form, 'name'))
      if (!backup) return noSuchBackup
      await recordBackupAction(app, actor, 'delete-backup', backup)
      await rm(backup.path, { force: true })
      app.live.changed('backups')
      return done(texts.deleted)
    },
    { error: texts.nothingChanged, toasts: [texts.nothingChanged] },
  ),
}

async function createManually(app: AppServices, actor: string): Promise<BackupsOutcome> {
  const work = backUp(app, 'by-hand').then(async (result) => {
    if (result.ok) {
      const { at } = parseBackupFileName(result.name)!
      await recordBackupAction(app, actor, 'make-backup', { name: result.name, at })
    }
    return result
  })
  work.catch((error: unknown) => app.log.error('a backup could not be recorded', error))
  const result = await Promise.race([work, pause(RESPONSE_WAIT_MS, null, { ref: false })])
  if (result === null) return { ...done(texts.started), status: 202 }
  return result.ok ? done(texts.created) : refuse(503, result.error)
}

async function checkBackup(path: string) {
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

export async function downloadBackup(
  auth: AuthRequest,
  user: User,
  form: FormData,
): Promise<Response | { error: string; status: number }> {
  const backup = await findBackup(auth.app, formText(form, 'name'))
  if (!backup) return { error: texts.gone, status: 404 }
  const refusal = await reauthenticate(auth, user, form)
  if (refusal) return refusal
  const file = await open(backup.path, 'r')
  await recordBackupAction(auth.app, user.id, 'download-backup', backup).catch(
    async (error: unknown) => {
      await file.close()
      throw error
    },
  )
  return downloadResponse(file.createReadStream(), 'application/zip', backup.name, {
    'Content-Length': String(backup.size),
  })
}
