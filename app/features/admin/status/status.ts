import { backupsTexts } from '#backups/texts.ts'
import { formatDateTime } from '#ui/format-date-time.ts'
import type { StatusFacts } from './status.server.ts'
import { statusTexts as texts } from './texts.ts'

export type Severity = 'green' | 'amber' | 'red'
export type StatusItem = {
  title: string
  light: Severity
  text: string
  to?: { address: string; name: string }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MB = 1e6

type Verdict = [light: Severity, text: string]
type FormatMoment = (at: number) => string

function assessDisk({ disk }: StatusFacts): Verdict {
  if (!disk) return ['amber', texts.disk.unknown]
  const share = disk.free / disk.all
  if (disk.free < 300 * MB || (share < 0.02 && disk.free < 5000 * MB)) {
    return ['red', texts.disk.red(disk)]
  }
  if (disk.free < 2000 * MB || (share < 0.1 && disk.free < 20_000 * MB)) {
    return ['amber', texts.disk.amber(disk)]
  }
  return ['green', texts.disk.green(disk)]
}

function assessBackup({ backup, now, startedAt }: StatusFacts, moment: FormatMoment): Verdict {
  const { isFolderThere, last, failure, isAutomatic } = backup
  if (!isFolderThere) return ['red', backupsTexts.folderMissing]
  if (failure) return ['red', texts.backup.failed(moment(failure.at), last && moment(last.at))]
  if (!last) {
    const isNew = isAutomatic && now - startedAt < 2 * DAY
    return isNew ? ['amber', texts.backup.tonight] : ['red', texts.backup.none]
  }
  const text = texts.backup.last(moment(last.at), last.size)
  const age = now - last.at
  return age < 2 * DAY ? ['green', text] : [age < 8 * DAY ? 'amber' : 'red', texts.backup.old(text)]
}

function assessEmail({ mail, now }: StatusFacts, moment: FormatMoment): Verdict {
  const { hasServer, waiting, undelivered, lateSince } = mail
  if (lateSince !== null && now - lateSince > HOUR) {
    return ['red', texts.mail.late(waiting, moment(lateSince))]
  }
  if (undelivered > 0) return ['amber', texts.mail.undelivered(undelivered)]
  if (!hasServer) return ['amber', texts.mail.noServer]
  return ['green', waiting === 0 ? texts.mail.allSent : texts.mail.soon(waiting)]
}

function assessImages({ images: { waiting, failed, struggling } }: StatusFacts): Verdict {
  if (struggling > 0) return ['amber', texts.images.retried(struggling)]
  if (waiting > 0) return ['green', texts.images.resizing(waiting)]
  if (failed > 0) return ['amber', texts.images.failed(failed)]
  return ['green', texts.images.resized]
}

const MANY_ERRORS = 100

function assessErrors({ errors }: StatusFacts): Verdict {
  if (errors === 0) return ['green', texts.errors.none]
  return [errors < MANY_ERRORS ? 'amber' : 'red', texts.errors.some(errors)]
}

export function statusItems(facts: StatusFacts, timeZone: string): StatusItem[] {
  const moment = (at: number) => formatDateTime(at, timeZone)
  const { databaseBytes, version, startedAt } = facts
  const line = (title: string, [light, text]: Verdict, to?: StatusItem['to']): StatusItem => ({
    title,
    light,
    text,
    ...(to && { to }),
  })
  const mail = assessEmail(facts, moment)
  const toBackups = { address: '/manage/backups/', name: texts.backup.link }
  const toMail = { address: '/manage/mail/', name: texts.mail.link }
  return [
    line(texts.disk.title, assessDisk(facts)),
    line(texts.database.title, ['green', texts.database.responding(databaseBytes)]),
    line(texts.backup.title, assessBackup(facts, moment), toBackups),
    line(texts.mail.title, mail, mail[0] === 'green' ? undefined : toMail),
    line(texts.images.title, assessImages(facts)),
    line(texts.errors.title, assessErrors(facts)),
    line(texts.shop.title, ['green', texts.shop.version(version, moment(startedAt))]),
  ]
}

export function summaryText(lines: StatusItem[]): Pick<StatusItem, 'light' | 'text'> {
  const count = (light: Severity) => lines.filter((line) => line.light === light).length
  if (count('red') > 0) return { light: 'red', text: texts.summary.red(count('red')) }
  if (count('amber') > 0) return { light: 'amber', text: texts.summary.amber(count('amber')) }
  return { light: 'green', text: texts.summary.green }
}

export const criticalTitles = (lines: StatusItem[]) =>
  lines.filter(({ light }) => light === 'red').map(({ title }) => title)
