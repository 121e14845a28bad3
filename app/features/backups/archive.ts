/** What an archive of the shop is called, why it was made, and what may be in it (045). */

export const REASONS = ['nightly', 'by-hand', 'before-restore', 'before-move'] as const
export type Reason = (typeof REASONS)[number]

/** S-265: as the owner reads it. */
export const reasonTexts: Record<Reason, string> = {
  nightly: 'Made by itself',
  'by-hand': 'Made by hand',
  'before-restore': 'Made before a restore',
  'before-move': 'Made before a move',
}

/** S-266: the others go by themselves once they are old. */
export const staysUntilDeleted = (reason: Reason): boolean => reason !== 'nightly'

/** shop-2026-11-21T18-03-22-417Z-nightly.zip: sorted by name they are sorted by time. */
export const archiveName = (at: number, reason: Reason): string =>
  `shop-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}-${reason}.zip`

const NAME = /^shop-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-([a-z-]+)\.zip$/

/** null: no archive that the shop has named. */
export function readArchiveName(name: string): { at: number; reason: Reason } | null {
  const [, day, minute, second, thousandth, said] = NAME.exec(name) ?? []
  const at = Date.parse(`${day}:${minute}:${second}.${thousandth}Z`)
  const reason = REASONS.find((known) => known === said)
  return reason && !Number.isNaN(at) ? { at, reason } : null
}

export const MANIFEST = 'manifest.json'
export const SUMS = 'SHA256SUMS'
export const README = 'README.txt'
export const tableEntry = (table: string): string => `tables/${table}.jsonl`
export const fileEntry = (path: string): string => `files/${path}`
/** Keys without which everybody is logged out and the owner loses her second factor, and what she signs in with at first. */
export const SECRETS = ['session', 'codes', 'forms', 'owner-password', 'owner-password-setting'] as const

export const readmeText = (madeAt: string): string => `This is your shop, as it was on ${madeAt}.

files/       your pictures, as they are in the shop; open them with any program
tables/      everything else, one file for each kind of thing, one line for each:
             items.jsonl, messages.jsonl, sales.jsonl … Any text editor opens them.
             Prices are cents, times are milliseconds since 1970 (UTC).
secrets/     keys of the shop; nobody else may have them
manifest.json   what is in here and how much of it
SHA256SUMS   a checksum of every file; "sha256sum -c SHA256SUMS" compares them

Keep it as safe as the shop itself: conversations and addresses are in it.

To bring it back:    npm run restore -- <this file>
To only look at it:  npm run restore -- <this file> --check
`
