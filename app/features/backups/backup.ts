/** What a backup is called, why it was made, what may be in it, and what the owner reads about it (053). */
import { countText, sizeText } from '#app/ui/amounts.ts'
import { formatDate } from '#app/ui/dates.ts'
import { momentText } from '#app/ui/moments.ts'

export const REASONS = ['nightly', 'by-hand', 'before-restore'] as const
export type Reason = (typeof REASONS)[number]

/** S-265: as the owner reads it. */
export const reasonTexts: Record<Reason, string> = {
  nightly: 'Made by itself',
  'by-hand': 'Made by hand',
  'before-restore': 'Made before a restore',
}

/** S-266: only nightly backups are deleted automatically. */
export const staysUntilDeleted = (reason: Reason): boolean => reason !== 'nightly'

/** shop-2026-11-21T18-03-22-417Z-nightly.zip: names sort by time. */
export const backupFileName = (at: number, reason: Reason): string =>
  `shop-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}-${reason}.zip`

const NAME = /^shop-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-([a-z-]+)\.zip$/

/** Returns null for a name that the shop has not given. */
export function parseBackupFileName(name: string): { at: number; reason: Reason } | null {
  const [, hour, minute, second, millisecond, word] = NAME.exec(name) ?? []
  const at = Date.parse(`${hour}:${minute}:${second}.${millisecond}Z`)
  const reason = REASONS.find((known) => known === word)
  return reason && !Number.isNaN(at) ? { at, reason } : null
}

/** Entries of the zip file. A backup of a shop on PostgreSQL has no database file: pg_dump makes that. */
export const MANIFEST = 'manifest.json'
export const README = 'README.txt'
export const DATABASE_FILE = 'shop.db'
export const imageEntry = (path: string): string => `files/${path}`
export const secretEntry = (name: string): string => `secrets/${name}`
/** Without these keys every session ends and the owner loses her second factor; the last one is her first password. */
export const SECRETS = ['session', 'codes', 'forms', 'owner-password'] as const

export const readmeText = (madeAt: string, hasDatabase: boolean): string => `This is your shop, as it was on ${madeAt}.

files/         your pictures, as they are in the shop; any program opens them
${
  hasDatabase
    ? 'shop.db        everything else: a SQLite database; "DB Browser for SQLite" and many other programs open it'
    : 'The database is not in here: the shop runs on PostgreSQL, and pg_dump saves it.'
}
secrets/       the keys of the shop; nobody else may have them
manifest.json  a SHA-256 checksum of every file

Keep it as safe as the shop itself${hasDatabase ? ': conversations and addresses are in it' : ''}.

To bring it back:    npm run restore -- <this file>
To only check it:    npm run restore -- <this file> --check
`

export const IS_GONE = 'This backup is not there any more'
export const IS_MADE = 'The backup is made'
export const IS_BEGUN = 'The backup is being made'
export const FOLDER_IS_GONE = 'The folder of the backups cannot be read. Whoever runs the shop has to look after it.'
export const IS_DELETED = 'Backup deleted'

export const isWholeText = ({ hasDatabase, files }: { hasDatabase: boolean; files: number }): string =>
  `All is well: ${hasDatabase ? 'the database and ' : ''}${countText(files, 'picture file')}, every checksum is right.`

type Sized = readonly { size: number }[]
const sumText = (backups: Sized) => sizeText(backups.reduce((sum, { size }) => sum + size, 0))

/** How much space the backups take; `staying`: those that only the owner deletes. */
export function roomText(all: Sized, staying: Sized): string {
  const together = `${countText(all.length, 'backup')}, ${sumText(all)} together.`
  if (staying.length === 0) return together
  const [they, stay, them] = staying.length === 1 ? ['It', 'stays', 'it'] : ['They', 'stay', 'them']
  const which = staying.length === all.length ? they : `${staying.length} of them (${sumText(staying)})`
  return `${together} ${which} ${stay} until you delete ${them}.`
}

/** Times of a list: two backups of one minute show their seconds, too (S-266). */
export function distinctTimeTexts(times: readonly number[], timeZone: string): string[] {
  const exact = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZone })
  const texts = times.map((at) => momentText(at, timeZone))
  return times.map((at, index) => {
    const text = texts[index]!
    if (texts.indexOf(text) === texts.lastIndexOf(text)) return text
    // As in dates.ts: engines differ in the space before AM and PM.
    return `${formatDate(at, timeZone)}, ${exact.format(at).replace(/\s/gu, ' ')}`
  })
}
