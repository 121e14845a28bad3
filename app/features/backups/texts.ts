import { pluralize } from '#ui/format-count.ts'
import { formatBytes } from '#ui/format-bytes.ts'
import type { BackupReason } from './backup.ts'

export const backupsTexts = {
  title: 'Backups',
  intro: (hasDatabase: boolean) =>
    hasDatabase
      ? 'Your whole shop in one file: pieces, conversations, sales and pictures, all from the same moment.'
      : 'Your pictures and the shop’s keys in one file. The rest is in a PostgreSQL database, which the person who runs the shop backs up.',
  last: 'Last backup',
  none: 'There is no backup yet.',
  folderMissing: 'The backup folder cannot be read. Ask the person who runs the server.',
  failed: (moment: string) => `The backup of ${moment} could not be made.`,
  noAutomatic: 'Automatic backups are turned off in the settings of the server.',
  next: (moment: string, keep: number) =>
    `The next automatic backup is on ${moment}. Of these, ${keep === 1 ? 'the newest stays' : `the newest ${keep} stay`}; those you make yourself stay until you delete them.`,
  backUpNow: 'Back up now',
  underWay: 'A backup is being made. It appears below when it is complete.',
  all: 'All backups',
  reasons: {
    nightly: 'Automatic backup',
    'by-hand': 'Manual backup',
    'before-restore': 'Made before a restore',
  } satisfies Record<BackupReason, string>,
  download: 'Download',
  downloadLabel: (moment: string) => `Download the backup of ${moment}`,
  downloadQuestion: 'Your password, before you download everything',
  check: 'Check',
  checkLabel: (moment: string) => `Check the backup of ${moment}`,
  delete: 'Delete',
  deleteLabel: (moment: string) => `Delete the backup of ${moment}`,
  deleteQuestion: (moment: string) => `Delete the backup of ${moment}?`,
  elsewhere: 'Keep one elsewhere',
  elsewhereReason: (hasDatabase: boolean) =>
    `If the server is lost, the backups on it are lost, too. Download one now and then and keep it in another safe place: it contains ${hasDatabase ? 'conversations, addresses, ' : ''}passwords and keys, so keep it private.`,
  contents: (hasDatabase: boolean) =>
    `It is a zip file with your pictures in it${hasDatabase ? ' and the rest as a database file' : ''}; its README explains the contents. A backup is restored on the server, by the person who runs it; the current data is backed up first.`,
  alsoJson: 'You can also download pieces, conversations and sales as one JSON file.',
  settings: 'Settings',
  gone: 'This backup no longer exists',
  created: 'Backup created',
  started: 'The backup is being made',
  deleted: 'Backup deleted',
  nothingChanged: 'Nothing was changed',
  verified: ({ hasDatabase, files }: { hasDatabase: boolean; files: number }) =>
    `All is well: ${hasDatabase ? 'the database and ' : ''}${pluralize(files, 'picture file')}, all checksums match.`,
  thisBackup: 'This backup',
}

export const backupErrorTexts = {
  stopped: 'The shop was stopped.',
  noSpace: (needed: number, free: number) =>
    `There is not enough space on the disk: a backup may need ${formatBytes(needed)}, and ${formatBytes(free)} are free.`,
  diskFull: 'The disk was full before the backup was complete.',
  notWritable: 'The backup folder is not writable.',
  notWritten: (reason: string) => `It could not be written (${reason}).`,
}

type Sized = readonly { size: number }[]
const totalSizeText = (backups: Sized) =>
  formatBytes(backups.reduce((sum, { size }) => sum + size, 0))

export function spaceText(all: Sized, staying: Sized) {
  const together = `${pluralize(all.length, 'backup')}, ${totalSizeText(all)} together.`
  if (staying.length === 0) return together
  const [they, stay, them] = staying.length === 1 ? ['It', 'stays', 'it'] : ['They', 'stay', 'them']
  const which =
    staying.length === all.length ? they : `${staying.length} of them (${totalSizeText(staying)})`
  return `${together} ${which} ${stay} until you delete ${them}.`
}

export const readmeText = (
  madeAt: string,
  hasDatabase: boolean,
) => `This is your shop, as it was on ${madeAt}.

files/         your pictures, as they are in the shop; any program opens them
${
  hasDatabase
    ? 'shop.db        everything else: a SQLite database; "DB Browser for SQLite" and many other programs open it'
    : 'The database is not in here: the shop runs on PostgreSQL, and pg_dump saves it.'
}
secrets/       the shop's keys; keep them private
manifest.json  a SHA-256 checksum of every file

Keep it as safe as the shop itself${hasDatabase ? ': conversations and addresses are in it' : ''}.

To bring it back:    npm run restore -- <this file>
To only check it:    npm run restore -- <this file> --check
`
