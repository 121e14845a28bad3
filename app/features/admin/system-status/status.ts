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

type Verdict = [light: Light, text: string]

function judgeDisk({ disk }: StatusFacts): Verdict {
  if (!disk) return ['amber', 'The machine does not tell how much room is left.']
  const room = `${sizeText(disk.free)} of ${sizeText(disk.all)} are free`
  const share = disk.free / disk.all
  if (disk.free < 300 * MB || (share < 0.02 && disk.free < 5000 * MB))
    return ['red', `Only ${room}. Soon messages and pictures cannot be kept any more: whoever runs the shop has to make room.`]
  if (disk.free < 2000 * MB || (share < 0.1 && disk.free < 20_000 * MB))
    return ['amber', `${room}. Whoever runs the shop should make room before it gets scarce.`]
  return ['green', `${room}.`]
}

function judgeBackup({ backup, now, startedAt }: StatusFacts, moment: (at: number) => string): Verdict {
  const { isFolderThere, last, failure, isAutomatic } = backup
  if (!isFolderThere) return ['red', FOLDER_IS_GONE]
  if (failure)
    return ['red', `The backup of ${moment(failure.at)} could not be made.${last ? ` The last one is of ${moment(last.at)}.` : ''}`]
  if (!last) {
    const isNew = isAutomatic && now - startedAt < 2 * DAY
    return isNew ? ['amber', 'There is no backup yet; the first is made in the night.'] : ['red', 'There is no backup yet.']
  }
  const text = `The last one is of ${moment(last.at)} (${sizeText(last.size)}).`
  const age = now - last.at
  return age < 2 * DAY ? ['green', text] : [age < 8 * DAY ? 'amber' : 'red', `${text} That is a while ago.`]
}

function judgeMail({ mail, now }: StatusFacts, moment: (at: number) => string): Verdict {
  const { hasServer, waiting, undelivered, lateSince } = mail
  const letters = countText(waiting, 'letter')
  if (lateSince !== null && now - lateSince > HOUR) {
    const wait = waiting === 1 ? 'waits' : 'wait'
    return ['red', `${letters} ${wait}, the oldest since ${moment(lateSince)}: the mail server does not take them.`]
  }
  if (undelivered > 0) return ['amber', `${countText(undelivered, 'letter')} could not be delivered.`]
  if (!hasServer) return ['amber', 'No mail server is set: letters are kept as files, and reach nobody.']
  return ['green', waiting === 0 ? 'Every letter has left.' : `${letters} will leave in a moment.`]
}

function judgePictures({ pictures: { waiting, failed, struggling } }: StatusFacts): Verdict {
  const asSent = (count: number) => (count === 1 ? 'It is shown as it was sent' : 'They are shown as they were sent')
  if (struggling > 0)
    return ['amber', `${countText(struggling, 'picture')} could not be made ready yet; the shop goes on trying. ${asSent(struggling)}.`]
  if (waiting > 0)
    return ['green', `${countText(waiting, 'picture')} ${waiting === 1 ? 'is' : 'are'} being made ready. ${asSent(waiting)} until then.`]
  if (failed > 0) return ['amber', `${countText(failed, 'picture')} could not be made ready. ${asSent(failed)}; uploading anew may help.`]
  return ['green', 'All are ready in every size.']
}

const MANY_ERRORS = 100

function judgeErrors({ errors }: StatusFacts): Verdict {
  if (errors === 0) return ['green', 'None in the last 24 hours.']
  const text = `${errors.toLocaleString('en-US')} in the last 24 hours. Whoever runs the shop finds them in its log.`
  return [errors < MANY_ERRORS ? 'amber' : 'red', text]
}

export function statusLines(facts: StatusFacts, timeZone: string): StatusLine[] {
  const moment = (at: number) => momentText(at, timeZone)
  const { databaseBytes, version, startedAt } = facts
  const line = (title: string, [light, text]: Verdict): StatusLine => ({ title, light, text })
  const mail = line('Mail', judgeMail(facts, moment))
  return [
    line('Room on the disk', judgeDisk(facts)),
    line('Database', ['green', databaseBytes === null ? 'It answers.' : `It answers, and holds ${sizeText(databaseBytes)}.`]),
    { ...line('Backup', judgeBackup(facts, moment)), to: { address: '/manage/backups/', name: 'See the backups' } },
    mail.light === 'green' ? mail : { ...mail, to: { address: '/manage/mail/', name: 'See the mail' } },
    line('Pictures', judgePictures(facts)),
    line('Errors', judgeErrors(facts)),
    line('The shop', ['green', `Version ${version}, running since ${moment(startedAt)}.`]),
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
