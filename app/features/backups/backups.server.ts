/** Backups of a shop that is open: made each night or by the owner, one at a time, noted in the database; and what her buttons do (S-264 to S-268). */
import { open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { TZDate } from '@date-fns/tz'
import { proveItsYou } from '#app/features/auth/reauthenticate.server.ts'
import type { Asker } from '#app/features/auth/auth-client.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { regularly } from '#app/platform/regularly.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { momentText } from '#app/ui/moments.ts'
import { IS_BEGUN, IS_DELETED, IS_GONE, IS_MADE, isWholeText, parseBackupFileName, type Reason } from './backup.ts'
import { backupError, createBackup, listBackups, type StoredBackup } from './create-backup.server.ts'
import { openBackup, UnusableBackupError, verifyBackup } from './read-backup.server.ts'

type Outcome = { ok: true; name: string } | { ok: false; error: string }

/** By shop, since tests open several in one process. */
const running = new WeakMap<Shop['backup'], Promise<Outcome>>()

/** S-264: whoever asks while a backup is being made gets that one. `id`: of the row in which it is noted. */
export function backUp(
  shop: Shop,
  reason: Reason,
  { id = newId15(), signal }: { id?: string; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const begun = running.get(shop.backup)
  if (begun) return begun
  const work = createAndNote(shop, reason, id, signal).finally(() => {
    running.delete(shop.backup)
    shop.live.changed('backups')
  })
  running.set(shop.backup, work)
  return work
}

async function createAndNote(shop: Shop, reason: Reason, id: string, signal: AbortSignal | undefined): Promise<Outcome> {
  const { db, log, now } = shop
  try {
    await db
      .insertInto('backups')
      .values({ id, reason, startedAt: now(), finishedAt: null, error: null })
      .onConflict((claimed) => claimed.doNothing())
      .execute()
    const { name, files, size, missing } = await createBackup(shop, reason, signal)
    await db.updateTable('backups').set({ finishedAt: now() }).where('id', '=', id).execute()
    // The log takes a field that is called name for a person's.
    log.info('a backup was made', { archive: name, files, size })
    if (missing.length > 0) log.error('a backup lacks pictures that the shop has lost', undefined, { count: missing.length })
    return { ok: true, name }
  } catch (error) {
    if (signal?.aborted) return { ok: false, error: 'The shop was stopped.' }
    log.error('a backup could not be made', error)
    const failure = backupError(error)
    // The reason may be that nothing can be written any more.
    await db
      .updateTable('backups')
      .set({ error: failure })
      .where('id', '=', id)
      .execute()
      .catch(() => {})
    return { ok: false, error: failure }
  }
}

/** The last moment, now included, at which the time in the shop's time zone was `at` ("03:30"); UTC milliseconds. */
export function lastRun(at: string, now: number, timeZone: string): number {
  const today = timeOf(at, now, timeZone, 0)
  return today <= now ? today : timeOf(at, now, timeZone, -1)
}

export function nextRun(at: string, now: number, timeZone: string): number {
  const today = timeOf(at, now, timeZone, 0)
  return today > now ? today : timeOf(at, now, timeZone, 1)
}

/** Where clocks go forward and skip the time, an hour later counts. */
function timeOf(at: string, now: number, timeZone: string, days: number): number {
  const [hour, minute] = at.split(':').map(Number)
  const day = new TZDate(now, timeZone)
  return new TZDate(day.getFullYear(), day.getMonth(), day.getDate() + days, hour!, minute!, timeZone).getTime()
}

const MINUTE_MS = 60_000
/** After a failure, and after a process that was killed during a backup. */
const [RETRY_MS, GIVEN_UP_MS] = [60 * MINUTE_MS, 6 * 60 * MINUTE_MS]

/** Returns true when a backup was made or tried. */
export async function backUpIfDue(shop: Shop, signal?: AbortSignal): Promise<boolean> {
  const { at, folder } = shop.backup
  if (at === null) return false
  const due = lastRun(at, shop.now(), shop.timeZone)
  const isMade = (await listBackups(folder)).some((backup) => backup.reason === 'nightly' && backup.at >= due)
  const id = `nightly-${new Date(due).toISOString()}`
  if (isMade || !(await claim(shop, id))) return false
  await backUp(shop, 'nightly', { id, ...(signal && { signal }) })
  return true
}

/** The process that writes the row makes the backup; a row without success is free again after a while. */
async function claim({ db, now }: Shop, id: string): Promise<boolean> {
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
            is.and([is('backups.error', 'is not', null), is('backups.startedAt', '<=', now() - RETRY_MS)]),
            is('backups.startedAt', '<=', now() - GIVEN_UP_MS),
          ]),
        ),
    )
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

/** Returns what stops it; a nightly backup that is being made is given up. */
export function startBackups(shop: Shop): () => Promise<void> {
  const stopped = new AbortController()
  let checks: Promise<unknown> = Promise.resolve()
  const check = () => (checks = checks.catch(() => {}).then(() => backUpIfDue(shop, stopped.signal)))
  const failure = 'nobody could look whether a backup is due'
  const stop = regularly({ every: 10 * MINUTE_MS, failure, log: shop.log, isBegunNow: false }, check)
  return async () => {
    stopped.abort()
    await stop()
  }
}

export type BackupFacts = {
  archives: StoredBackup[]
  /** false: a disk that is not mounted, or that the shop may not read */
  isFolderThere: boolean
  /** false: PostgreSQL, which pg_dump backs up */
  hasDatabase: boolean
  /** the last try failed, and no later one succeeded */
  failure: { at: number; error: string } | null
  isUnderWay: boolean
  /** when the next one is made automatically; null: never */
  next: number | null
}

/** What the page of backups and the status page show. */
export async function readBackups(shop: Shop): Promise<BackupFacts> {
  const { db, backup, now, timeZone } = shop
  // The page must work where the backups do not: it says so.
  const listed = await listBackups(backup.folder).catch(() => null)
  const archives = listed ?? []
  const last = await db.selectFrom('backups').select(['startedAt', 'error']).orderBy('startedAt', 'desc').limit(1).executeTakeFirst()
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

/** Finds only files that the shop has named itself, in its own folder. */
async function findBackup({ backup }: Pick<Shop, 'backup'>, name: string): Promise<FoundBackup | null> {
  if (!parseBackupFileName(name)) return null
  const found = (await listBackups(backup.folder).catch(() => [])).find((one) => one.name === name)
  return found ? { ...found, path: join(backup.folder, name) } : null
}

type BackupAct = 'make-backup' | 'download-backup' | 'delete-backup'

/** S-268: what she does with backups is in the history. */
const recordBackupAct = ({ db, now, timeZone }: Shop, actor: string, act: BackupAct, { name, at }: Pick<StoredBackup, 'name' | 'at'>) =>
  transact(db, (tx) => recordAct(tx, { at: now(), actor, act, subject: name, name: momentText(at, timeZone) }))

/** `checked`: the result of a check. */
export type BackupsAnswer = Answer & { checked?: { name: string; isWhole: boolean; text: string } }
type ActionResult = { answer: BackupsAnswer; status: number }

/** A small shop's backup is ready before she wonders; a large one is finished while the page shows that it is being made. */
const PATIENCE_MS = 8000

const refused = (error: string, status: number): ActionResult => ({ answer: { ok: false, error, toasts: [error] }, status })
const done = (text: string, status = 200): ActionResult => ({ answer: { ok: true, toasts: [text] }, status })

export async function handleBackupsAction(shop: Shop, actor: string, form: FormData): Promise<ActionResult> {
  const intent = textOf(form, 'intent')
  if (intent === 'make') return makeByHand(shop, actor)
  const backup = await findBackup(shop, textOf(form, 'name'))
  if (!backup) return refused(IS_GONE, 404)
  if (intent === 'check') {
    const { ok, text } = await checkBackup(backup.path)
    return { answer: { ok, checked: { name: backup.name, isWhole: ok, text } }, status: ok ? 200 : 422 }
  }
  if (intent !== 'delete' || textOf(form, 'confirm') !== 'Yes') return refused('Nothing was changed', 400)
  await recordBackupAct(shop, actor, 'delete-backup', backup)
  await rm(backup.path, { force: true })
  shop.live.changed('backups')
  return done(IS_DELETED)
}

async function makeByHand(shop: Shop, actor: string): Promise<ActionResult> {
  const begun = backUp(shop, 'by-hand').then(async (made) => {
    if (made.ok) await recordBackupAct(shop, actor, 'make-backup', { name: made.name, at: parseBackupFileName(made.name)!.at })
    return made
  })
  // Logged even if nobody waits for it any more.
  begun.catch((error: unknown) => shop.log.error('a backup could not be written down', error))
  const made = await Promise.race([begun, pause(PATIENCE_MS, null, { ref: false })])
  if (made === null) return done(IS_BEGUN, 202)
  return made.ok ? done(IS_MADE) : refused(made.error, 503)
}

/** S-267: reads a backup from front to end. */
async function checkBackup(path: string): Promise<{ ok: boolean; text: string }> {
  try {
    const backup = await openBackup(path)
    await verifyBackup(backup).finally(() => backup.close())
    return { ok: true, text: isWholeText({ hasDatabase: backup.hasDatabase, files: backup.files.length }) }
  } catch (error) {
    if (!(error instanceof UnusableBackupError)) throw error
    return { ok: false, text: `${error.message.replace(basename(path), 'This backup')}.` }
  }
}

/** S-268: a backup on its way to the owner's own disk, after her password. */
export async function downloadBackup(asker: Asker, user: User, form: FormData): Promise<Response | { error: string; status: number }> {
  const backup = await findBackup(asker.shop, textOf(form, 'name'))
  if (!backup) return { error: IS_GONE, status: 404 }
  const proof = await proveItsYou(asker, user, form)
  if (!proof.ok) return proof
  const file = await open(backup.path, 'r')
  await recordBackupAct(asker.shop, user.id, 'download-backup', backup).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  return new Response(Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(backup.size),
      'Content-Disposition': `attachment; filename="${backup.name}"`,
      'Cache-Control': 'no-store',
    },
  })
}
