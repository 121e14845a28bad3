import { FOLDER_IS_GONE } from '#app/features/backups/backup.ts'
import { countText, sizeText } from '#app/ui/amounts.ts'
import { momentText } from '#app/ui/moments.ts'

/** green: nothing to do; amber: look after it when there is time; red: something is being lost, or will be soon. */
export type Light = 'green' | 'amber' | 'red'
export type StatusLine = { title: string; light: Light; text: string; to?: { address: string; name: string } }

export type StatusFacts = {
  /** bytes; null: the machine does not tell */
  disk: { free: number; all: number } | null
  databaseBytes: number | null
  backup: { isFolderThere: boolean; last: { at: number; size: number } | null; failure: { at: number } | null; isAutomatic: boolean }
  mail: {
    hasServer: boolean
    waiting: number
    undelivered: number
    /** of those that wait, the oldest that has failed */ lateSince: number | null
  }
  pictures: { waiting: number; failed: number; /** of those that wait, how many could not be made at the first tries */ struggling: number }
  /** in the last 24 hours */
  errors: number
  version: string
  startedAt: number
  now: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MB = 1e6

/** The word beside each light: colours alone tell not everybody. */
export const lightNames: Record<Light, string> = { green: 'All well', amber: 'Worth a look', red: 'Needs care now' }

function diskLine({ disk }: StatusFacts): StatusLine {
  const title = 'Room on the disk'
  if (!disk) return { title, light: 'amber', text: 'The machine does not tell how much room is left.' }
  const room = `${sizeText(disk.free)} of ${sizeText(disk.all)} are free`
  const share = disk.free / disk.all
  if (disk.free < 300 * MB || (share < 0.02 && disk.free < 5000 * MB))
    return {
      title,
      light: 'red',
      text: `Only ${room}. Soon messages and pictures cannot be kept any more: whoever runs the shop has to make room.`,
    }
  if (disk.free < 2000 * MB || (share < 0.1 && disk.free < 20_000 * MB))
    return { title, light: 'amber', text: `${room}. Whoever runs the shop should make room before it gets scarce.` }
  return { title, light: 'green', text: `${room}.` }
}

const databaseLine = ({ databaseBytes }: StatusFacts): StatusLine => ({
  title: 'Database',
  light: 'green',
  text: databaseBytes === null ? 'It answers.' : `It answers, and holds ${sizeText(databaseBytes)}.`,
})

function backupLine(
  { backup: { isFolderThere, last, failure, isAutomatic }, now, startedAt }: StatusFacts,
  moment: (at: number) => string,
): StatusLine {
  const title = 'Backup'
  const to = { address: '/manage/backups/', name: 'See the backups' }
  if (!isFolderThere) return { title, light: 'red', text: FOLDER_IS_GONE, to }
  if (failure)
    return {
      title,
      light: 'red',
      text: `The backup of ${moment(failure.at)} could not be made.${last ? ` The last one is of ${moment(last.at)}.` : ''}`,
      to,
    }
  if (!last) {
    const isNew = isAutomatic && now - startedAt < 2 * DAY
    return { title, light: isNew ? 'amber' : 'red', text: `There is no backup yet${isNew ? '; the first is made in the night' : ''}.`, to }
  }
  const age = now - last.at
  const light = age < 2 * DAY ? 'green' : age < 8 * DAY ? 'amber' : 'red'
  return {
    title,
    light,
    text: `The last one is of ${moment(last.at)} (${sizeText(last.size)}).${light === 'green' ? '' : ' That is a while ago.'}`,
    to,
  }
}

function mailLine({ mail: { hasServer, waiting, undelivered, lateSince }, now }: StatusFacts, moment: (at: number) => string): StatusLine {
  const title = 'Mail'
  const to = { address: '/manage/mail/', name: 'See the mail' }
  if (lateSince !== null && now - lateSince > HOUR)
    return {
      title,
      light: 'red',
      text: `${countText(waiting, 'letter')} ${waiting === 1 ? 'waits' : 'wait'}, the oldest since ${moment(lateSince)}: the mail server does not take them.`,
      to,
    }
  if (undelivered > 0) return { title, light: 'amber', text: `${countText(undelivered, 'letter')} could not be delivered.`, to }
  if (!hasServer) return { title, light: 'amber', text: 'No mail server is set: letters are kept as files, and reach nobody.', to }
  return {
    title,
    light: 'green',
    text: waiting === 0 ? 'Every letter has left.' : `${countText(waiting, 'letter')} will leave in a moment.`,
  }
}

function picturesLine({ pictures: { waiting, failed, struggling } }: StatusFacts): StatusLine {
  const title = 'Pictures'
  const asSent = (count: number) => (count === 1 ? 'It is shown as it was sent' : 'They are shown as they were sent')
  if (struggling > 0)
    return {
      title,
      light: 'amber',
      text: `${countText(struggling, 'picture')} could not be made ready yet; the shop goes on trying. ${asSent(struggling)}.`,
    }
  if (waiting > 0)
    return {
      title,
      light: 'green',
      text: `${countText(waiting, 'picture')} ${waiting === 1 ? 'is' : 'are'} being made ready. ${asSent(waiting)} until then.`,
    }
  if (failed > 0)
    return {
      title,
      light: 'amber',
      text: `${countText(failed, 'picture')} could not be made ready. ${asSent(failed)}; uploading anew may help.`,
    }
  return { title, light: 'green', text: 'All are ready in every size.' }
}

const MANY_ERRORS = 100

function errorsLine({ errors }: StatusFacts): StatusLine {
  const title = 'Errors'
  if (errors === 0) return { title, light: 'green', text: 'None in the last 24 hours.' }
  const text = `${errors.toLocaleString('en-US')} in the last 24 hours. Whoever runs the shop finds them in its log.`
  return { title, light: errors < MANY_ERRORS ? 'amber' : 'red', text }
}

export function statusLines(facts: StatusFacts, timeZone: string): StatusLine[] {
  const moment = (at: number) => momentText(at, timeZone)
  return [
    diskLine(facts),
    databaseLine(facts),
    backupLine(facts, moment),
    mailLine(facts, moment),
    picturesLine(facts),
    errorsLine(facts),
    { title: 'The shop', light: 'green', text: `Version ${facts.version}, running since ${moment(facts.startedAt)}.` },
  ]
}

export function summaryOf(lines: StatusLine[]): { light: Light; text: string } {
  const count = (light: Light) => lines.filter((line) => line.light === light).length
  const things = (number: number, verb: [one: string, many: string]) =>
    `${number === 1 ? 'One thing' : `${number} things`} ${verb[number === 1 ? 0 : 1]}`
  if (count('red') > 0) return { light: 'red', text: `${things(count('red'), ['needs', 'need'])} care now.` }
  if (count('amber') > 0) return { light: 'amber', text: `The shop is fine. ${things(count('amber'), ['is', 'are'])} worth a look.` }
  return { light: 'green', text: 'All is well.' }
}

export const urgentTitles = (lines: StatusLine[]): string[] => lines.filter(({ light }) => light === 'red').map(({ title }) => title)
