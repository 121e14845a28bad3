import { pluralize } from '#ui/format-count.ts'
import { formatBytes } from '#ui/format-bytes.ts'

type Disk = { free: number; all: number }

const inOriginalSize = (count: number) =>
  count === 1 ? 'It is shown in its original size' : 'They are shown in their original sizes'
const spaceText = ({ free, all }: Disk) => `${formatBytes(free)} of ${formatBytes(all)} are free`
const things = (count: number, one: string, many: string) =>
  count === 1 ? `One thing ${one}` : `${count} things ${many}`

export const statusTexts = {
  title: 'How the shop is doing',
  settings: 'Settings',
  severities: {
    green: 'All well',
    amber: 'Worth a look',
    red: 'Needs attention now',
  },
  summary: {
    red: (count: number) => `${things(count, 'needs', 'need')} attention now.`,
    amber: (count: number) => `The shop is fine. ${things(count, 'is', 'are')} worth a look.`,
    green: 'All is well.',
  },
  disk: {
    title: 'Disk space',
    unknown: 'The machine does not report how much space is left.',
    red: (disk: Disk) =>
      `Only ${spaceText(disk)}. Soon the shop will be unable to store messages and pictures. The person who runs the server must free up space.`,
    amber: (disk: Disk) =>
      `${spaceText(disk)}. The person who runs the server should free up space soon.`,
    green: (disk: Disk) => `${spaceText(disk)}.`,
  },
  database: {
    title: 'Database',
    responding: (bytes: number | null) =>
      bytes === null ? 'Responding.' : `Responding, ${formatBytes(bytes)}.`,
  },
  backup: {
    title: 'Backup',
    link: 'See the backups',
    failed: (moment: string, last: string | null) =>
      `The backup of ${moment} could not be made.${last === null ? '' : ` The last one is from ${last}.`}`,
    tonight: 'There is no backup yet; the first one is made tonight.',
    none: 'There is no backup yet.',
    last: (moment: string, bytes: number) =>
      `The last one is from ${moment} (${formatBytes(bytes)}).`,
    old: (last: string) => `${last} That was a while ago.`,
  },
  mail: {
    title: 'Mail',
    link: 'See the mail',
    late: (count: number, since: string) =>
      `${pluralize(count, 'email')} ${count === 1 ? 'waits' : 'wait'}, the oldest since ${since}: the mail server does not accept them.`,
    undelivered: (count: number) => `${pluralize(count, 'email')} could not be delivered.`,
    noServer: 'No mailbox is set up: emails are written as files and are not sent.',
    allSent: 'All emails have been sent.',
    soon: (count: number) => `${pluralize(count, 'email')} will be sent in a moment.`,
  },
  images: {
    title: 'Pictures',
    retried: (count: number) =>
      `${pluralize(count, 'picture')} could not be resized yet; the shop keeps trying. ${inOriginalSize(count)}.`,
    resizing: (count: number) =>
      `${pluralize(count, 'picture')} ${count === 1 ? 'is' : 'are'} being resized. ${inOriginalSize(count)} until then.`,
    failed: (count: number) =>
      `${pluralize(count, 'picture')} could not be resized. ${inOriginalSize(count)}; uploading again may help.`,
    resized: 'All pictures have been resized.',
  },
  errors: {
    title: 'Errors',
    none: 'None in the last 24 hours.',
    some: (count: number) =>
      `${count.toLocaleString('en-US')} in the last 24 hours. The person who runs the server finds them in the log.`,
  },
  shop: {
    title: 'The shop',
    version: (version: string, since: string) => `Version ${version}, running since ${since}.`,
  },
}
