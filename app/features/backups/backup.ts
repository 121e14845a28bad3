import { formatDate } from '#app/ui/format-date.ts'
import { formatDateTime } from '#app/ui/format-date-time.ts'

export const REASONS = ['nightly', 'by-hand', 'before-restore'] as const
export type BackupReason = (typeof REASONS)[number]

export const staysUntilDeleted = (reason: BackupReason): boolean => reason !== 'nightly'

/** Returns a name such as "shop-2026-11-21T18-03-22-417Z-nightly.zip". If the names are sorted, the backups are in the order of their times. */
export const backupFileName = (at: number, reason: BackupReason): string =>
  `shop-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}-${reason}.zip`

const NAME = /^shop-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-([a-z-]+)\.zip$/

/** Returns null if the file name does not belong to a backup of the shop. */
export function parseBackupFileName(name: string): { at: number; reason: BackupReason } | null {
  const [, hour, minute, second, millisecond, word] = NAME.exec(name) ?? []
  const at = Date.parse(`${hour}:${minute}:${second}.${millisecond}Z`)
  const reason = REASONS.find((known) => known === word)
  return reason && !Number.isNaN(at) ? { at, reason } : null
}

/** The names of entries in the zip file of a backup. The backup of a shop on PostgreSQL contains no database file. */
export const MANIFEST = 'manifest.json'
export const README = 'README.txt'
export const DATABASE_FILE = 'shop.db'
export const imageEntry = (path: string): string => `files/${path}`
export const secretEntry = (name: string): string => `secrets/${name}`
/** The shop creates these secrets in its data folder: 'session' protects cookies and two-factor login, 'codes' the codes in emails, 'forms' the timestamps of forms, and 'mailbox' the password of the owner's mailbox. */
export const SHOP_SECRETS = ['session', 'codes', 'forms', 'mailbox'] as const
/** A backup contains these secrets, so that a restore ends no session and loses no password. `owner-password` is the first password of the owner. */
export const SECRETS = [...SHOP_SECRETS, 'owner-password'] as const

/** Returns a text for each time, with seconds if several backups were made in the same minute. [S-266] */
export function distinctTimeTexts(times: readonly number[], timeZone: string): string[] {
  const exact = new Intl.DateTimeFormat('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  })
  const texts = times.map((at) => formatDateTime(at, timeZone))
  return times.map((at, index) => {
    const text = texts[index]!
    if (texts.indexOf(text) === texts.lastIndexOf(text)) return text
    // Replaces the narrow space before "AM" or "PM" with a normal space, as format-date.ts does.
    return `${formatDate(at, timeZone)}, ${exact.format(at).replace(/\s/gu, ' ')}`
  })
}
