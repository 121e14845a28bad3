import { formatDateTime } from '#ui/format-date-time.ts'
import { formatDate } from '#ui/format-date.ts'

export const REASONS = ['nightly', 'by-hand', 'before-restore'] as const
export type BackupReason = (typeof REASONS)[number]

export const staysUntilDeleted = (reason: BackupReason) => reason !== 'nightly'

/**
 * Returns for example "shop-2026-11-21T18-03-22-417Z-nightly.zip". Sorting by name sorts by time.
 */
export const backupFileName = (at: number, reason: BackupReason) =>
  `shop-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}-${reason}.zip`

const NAME = /^shop-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-([a-z-]+)\.zip$/

export function parseBackupFileName(name: string) {
  const [, hour, minute, second, millisecond, word] = NAME.exec(name) ?? []
  const at = Date.parse(`${hour}:${minute}:${second}.${millisecond}Z`)
  const reason = REASONS.find((candidate) => candidate === word)
  return reason && !Number.isNaN(at) ? { at, reason } : null
}

export const MANIFEST = 'manifest.json'
export const README = 'README.txt'
export const DATABASE_FILE = 'shop.db'
export const imageEntry = (path: string) => `files/${path}`
export const secretEntry = (name: string) => `secrets/${name}`
/** 'session' protects cookies and two-factor login, 'codes' the codes in emails. */
export const SHOP_SECRETS = ['session', 'codes', 'forms', 'mailbox'] as const
export const SECRETS = [...SHOP_SECRETS, 'owner-password'] as const

export function distinctTimeTexts(times: number[], timeZone: string) {
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
    return `${formatDate(at, timeZone)}, ${exact.format(at).replace(/\s/gu, ' ')}`
  })
}
