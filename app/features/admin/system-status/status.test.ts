import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFileName } from '#app/features/backups/backup.ts'
import { NOON, openTestShop, type TestShop } from '#test/open-test-shop.ts'
import { readStatus } from './status.server.ts'
import { lightNames, statusLines, summaryOf, urgentTitles, type StatusFacts } from './status.ts'

const HOUR = 3_600_000
const GB = 1e9

const well: StatusFacts = {
  disk: { free: 30 * GB, all: 50 * GB },
  databaseBytes: 12_400_000,
  backup: { isFolderThere: true, last: { at: NOON - 9 * HOUR, size: 3_000_000 }, failure: null, isAutomatic: true },
  mail: { hasServer: true, waiting: 0, undelivered: 0, lateSince: null },
  pictures: { waiting: 0, failed: 0, struggling: 0 },
  errors: 0,
  version: '1.2.3',
  startedAt: NOON - 100 * HOUR,
  now: NOON,
}
const said = (facts: Partial<StatusFacts>) => statusLines({ ...well, ...facts }, 'UTC')
const of = (title: string, facts: Partial<StatusFacts>) => {
  const { light, text } = said(facts).find((line) => line.title === title)!
  return `${light}: ${text}`
}

test('S-270 when all is well each line says so in a sentence, and nothing is urgent', () => {
  expect(said({}).map(({ title, light, text }) => `${light}, ${title}: ${text}`)).toEqual([
    'green, Room on the disk: 30 GB of 50 GB are free.',
    'green, Database: It answers, and holds 12 MB.',
    'green, Backup: The last one is of March 04, 2026, 3:00 AM (3.0 MB).',
    'green, Mail: Every letter has left.',
    'green, Pictures: All are ready in every size.',
    'green, Errors: None in the last 24 hours.',
    'green, The shop: Version 1.2.3, running since February 28, 2026, 8:00 AM.',
  ])
  expect(summaryOf(said({}))).toEqual({ light: 'green', text: 'All is well.' })
  expect(urgentTitles(said({}))).toEqual([])
})

test('S-270 the room on the disk is judged by what a shop needs, on a small disk as on a large one', () => {
  const light = (free: number, all: number) => of('Room on the disk', { disk: { free, all } }).split(':')[0]
  expect([light(0.2 * GB, 5 * GB), light(0.2 * GB, 4000 * GB), light(4 * GB, 500 * GB)]).toEqual(['red', 'red', 'red'])
  expect([light(1 * GB, 5 * GB), light(15 * GB, 500 * GB)]).toEqual(['amber', 'amber'])
  expect([light(3 * GB, 10 * GB), light(40 * GB, 4000 * GB)]).toEqual(['green', 'green'])
  expect(of('Room on the disk', { disk: null })).toMatch(/^amber: The machine does not tell/)
})

test('S-270 a backup that failed or is missing cannot wait; one that is some days old is worth a look', () => {
  const backup = (facts: Partial<StatusFacts['backup']>, more: Partial<StatusFacts> = {}) =>
    of('Backup', { backup: { ...well.backup, ...facts }, ...more })
  const ofAge = (days: number) => backup({ last: { at: NOON - days * 24 * HOUR, size: 1 } }).split(':')[0]
  expect([1, 3, 9].map(ofAge)).toEqual(['green', 'amber', 'red'])
  expect(backup({ failure: { at: NOON - HOUR } })).toBe(
    'red: The backup of March 04, 2026, 11:00 AM could not be made. The last one is of March 04, 2026, 3:00 AM.',
  )
  expect(backup({ isFolderThere: false, last: null })).toMatch(/^red: The folder of the backups cannot be read/)
  expect(backup({ last: null }, { startedAt: NOON - HOUR })).toBe('amber: There is no backup yet; the first is made in the night.')
  expect(backup({ last: null })).toBe('red: There is no backup yet.')
  expect(backup({ last: null, isAutomatic: false }, { startedAt: NOON })).toBe('red: There is no backup yet.')
})

test('S-270 letters: one that failed is worth a look, a mail server that takes none cannot wait, a shop without one is told', () => {
  const mail = (facts: Partial<StatusFacts['mail']>) => of('Mail', { mail: { ...well.mail, ...facts } })
  expect(mail({ waiting: 2 })).toBe('green: 2 letters will leave in a moment.')
  expect(mail({ waiting: 2, lateSince: NOON - HOUR / 2 })).toBe('green: 2 letters will leave in a moment.')
  expect(mail({ waiting: 2, lateSince: NOON - 2 * HOUR })).toBe(
    'red: 2 letters wait, the oldest since March 04, 2026, 10:00 AM: the mail server does not take them.',
  )
  expect(mail({ undelivered: 1 })).toBe('amber: 1 letter could not be delivered.')
  expect(mail({ hasServer: false })).toMatch(/^amber: No mail server is set/)
})

test('S-270 pictures and errors', () => {
  const pictures = (facts: Partial<StatusFacts['pictures']>) => of('Pictures', { pictures: { ...well.pictures, ...facts } })
  expect(pictures({ waiting: 1 })).toBe('green: 1 picture is being made ready. It is shown as it was sent until then.')
  expect(pictures({ waiting: 3, struggling: 2 })).toBe(
    'amber: 2 pictures could not be made ready yet; the shop goes on trying. They are shown as they were sent.',
  )
  expect(pictures({ failed: 1 })).toBe('amber: 1 picture could not be made ready. It is shown as it was sent; uploading anew may help.')
  expect([0, 7, 100].map((errors) => of('Errors', { errors }).split(' in')[0])).toEqual(['green: None', 'amber: 7', 'red: 100'])
})

test('S-270 the summary counts what needs care before what is worth a look', () => {
  expect(summaryOf(said({ errors: 3 })).text).toBe('The shop is fine. One thing is worth a look.')
  expect(summaryOf(said({ errors: 3, disk: null })).text).toBe('The shop is fine. 2 things are worth a look.')
  expect(summaryOf(said({ errors: 300, disk: null })).text).toBe('One thing needs care now.')
  expect(summaryOf(said({ errors: 300, disk: { free: 1, all: GB } }))).toEqual({ light: 'red', text: '2 things need care now.' })
})

const linesOf = async (shop: TestShop) =>
  Object.fromEntries((await readStatus(shop.shop)).map(({ title, light, text }) => [title, `${light}: ${text}`]))

test('S-270 the lines come from the shop itself: its letters, pictures, backups, errors and its database', async () => {
  const shop = await openTestShop({ smtpUrl: 'smtp://127.0.0.1:1' })
  expect(await linesOf(shop)).toMatchObject({ Mail: 'green: Every letter has left.', Errors: 'green: None in the last 24 hours.' })
  expect((await linesOf(shop)).Database).toMatch(/^green: It answers, and holds [\d.]+ (kB|MB)\.$/)
  expect((await linesOf(shop))['Room on the disk']).toMatch(/ of [\d.,]+ GB are free/)

  const letter = { kind: 'contact', to: 'ann@mail.test', subject: 'Hello', text: 'Hello' }
  await shop.shop.mail.post(shop.db, { id: 'late', ...letter }, NOON - 3 * HOUR)
  await shop.db.updateTable('outbox').set({ lastError: 'The mail server could not be reached.' }).execute()
  const picture = { path: 'colors/a.jpg', width: 1, height: 1, widths: '[]', placeholder: '', attempts: 6, nextAttemptAt: 0 }
  await shop.db
    .insertInto('pictures')
    .values([
      { id: 'waits', ...picture, createdAt: NOON - 2 * HOUR, state: 'waiting' },
      { id: 'failed', ...picture, path: 'colors/b.jpg', createdAt: 0, state: 'failed' },
    ])
    .execute()
  await mkdir(join(shop.folder, 'backups'))
  await writeFile(join(shop.folder, 'backups', backupFileName(NOON - 5 * HOUR, 'nightly')), 'x'.repeat(2000))
  for (let count = 0; count < 7; count += 1) shop.shop.machine.errors.count()
  expect(await linesOf(shop)).toMatchObject({
    Mail: 'red: 1 letter waits, the oldest since March 04, 2026, 9:00 AM: the mail server does not take them.',
    Pictures: expect.stringMatching(/^amber: 1 picture could not be made ready yet/),
    Backup: 'green: The last one is of March 04, 2026, 7:00 AM (2.0 kB).',
    Errors: expect.stringMatching(/^amber: 7 in the last 24 hours/),
  })
  shop.clock.now += 25 * HOUR
  expect((await linesOf(shop)).Errors).toBe('green: None in the last 24 hours.')
})

const wordsOf = (html: string) =>
  html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('S-270 S-271 the owner finds the page from Settings; what cannot wait stands on her first page and as a number beside Settings', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  expect(await owner.page('/manage/settings/')).toContain('href="/manage/status/"')
  expect(wordsOf(await owner.page('/manage/'))).not.toContain('Needs care now')
  for (let count = 0; count < 200; count += 1) shop.shop.machine.errors.count()
  const html = await owner.page('/manage/status/')
  expect(html).toContain('<h1>How the shop is doing</h1>')
  expect(wordsOf(html)).toMatch(/One thing needs care now\. .* Errors Needs care now 200 in the last 24 hours\./)
  expect(Object.values(lightNames).every((name) => html.includes(name))).toBe(true)
  // The section it belongs to is named where the navigation is folded.
  expect(html).toMatch(/<details[^>]*><summary[^>]*>Settings</)
  const first = await owner.page('/manage/')
  expect(wordsOf(first)).toContain('Needs care now: Errors. How the shop is doing')
  expect(first).toMatch(
    /href="\/manage\/settings\/"[^>]*>Settings<\/a><span[^>]*><span aria-hidden="true">1<\/span><span class="unseen">1 to care for now/,
  )
})

test('S-270 nobody but the owner sees it', async () => {
  const shop = await openTestShop()
  for (const somebody of [shop.visitor(), await shop.guest(), await shop.customer()])
    for (const path of ['/manage/status/', '/manage/status.data?_routes=routes%2Fmanage%2Fstatus'])
      expect(await somebody.page(path)).not.toContain('Room on the disk')
})
