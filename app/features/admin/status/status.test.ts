import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFileName } from '#backups/backup.ts'
import { hrefOf, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { NOON, openTestShop, type TestShop, openShopWithOwner } from '#test/fixtures/test-shop.ts'
import { readStatus } from './status.server.ts'
import type { StatusFacts } from './status.server.ts'
import { statusItems, summaryText, criticalTitles } from './status.ts'
import { statusTexts } from './texts.ts'

const HOUR = 3_600_000
const GB = 1e9

const backupFile = { name: 'shop.zip', reason: 'nightly' } as const

const well: StatusFacts = {
  disk: { free: 30 * GB, all: 50 * GB },
  databaseBytes: 12_400_000,
  backup: {
    isFolderThere: true,
    last: { ...backupFile, at: NOON - 9 * HOUR, size: 3_000_000 },
    failure: null,
    isAutomatic: true,
  },
  mail: { hasServer: true, waiting: 0, undelivered: 0, lateSince: null },
  images: { waiting: 0, failed: 0, struggling: 0 },
  errors: 0,
  version: '1.2.3',
  startedAt: NOON - 100 * HOUR,
  now: NOON,
}
const said = (facts: Partial<StatusFacts>) => statusItems({ ...well, ...facts }, 'UTC')
const of = (title: string, facts: Partial<StatusFacts>) => {
  const { light, text } = said(facts).find((line) => line.title === title)!
  return `${light}: ${text}`
}

test('when everything works, each line of the status page says so in one sentence [S-270]', () => {
  expect(said({}).map(({ title, light, text }) => `${light}, ${title}: ${text}`)).toEqual([
    'green, Disk space: 30 GB of 50 GB are free.',
    'green, Database: Responding, 12 MB.',
    'green, Backup: The last one is from March 04, 2026, 3:00 AM (3.0 MB).',
    'green, Mail: All emails have been sent.',
    'green, Pictures: All pictures have been resized.',
    'green, Errors: None in the last 24 hours.',
    'green, The shop: Version 1.2.3, running since February 28, 2026, 8:00 AM.',
  ])
  expect(summaryText(said({}))).toEqual({ light: 'green', text: 'All is well.' })
  expect(criticalTitles(said({}))).toEqual([])
})

test('the status page judges the free disk space by its size and by its share of the disk [S-270]', () => {
  const light = (free: number, all: number) =>
    of('Disk space', { disk: { free, all } }).split(':')[0]
  expect(light(0.2 * GB, 5 * GB)).toBe('red')
  expect(light(0.2 * GB, 4000 * GB)).toBe('red')
  expect(light(4 * GB, 500 * GB)).toBe('red')
  expect(light(1 * GB, 5 * GB)).toBe('amber')
  expect(light(15 * GB, 500 * GB)).toBe('amber')
  expect(light(3 * GB, 10 * GB)).toBe('green')
  expect(light(40 * GB, 4000 * GB)).toBe('green')
  expect(of('Disk space', { disk: null })).toMatch(/^amber: The machine does not report/)
})

test('the status page warns of an old backup, and shows an alert for a failed or missing backup [S-270]', () => {
  const backup = (facts: Partial<StatusFacts['backup']>, more: Partial<StatusFacts> = {}) =>
    of('Backup', { backup: { ...well.backup, ...facts }, ...more })
  const ofAge = (days: number) =>
    backup({ last: { ...backupFile, at: NOON - days * 24 * HOUR, size: 1 } }).split(':')[0]
  expect([1, 3, 9].map(ofAge)).toEqual(['green', 'amber', 'red'])
  expect(backup({ failure: { at: NOON - HOUR, error: 'The disk was full.' } })).toBe(
    'red: The backup of March 04, 2026, 11:00 AM could not be made. The last one is from March 04, 2026, 3:00 AM.',
  )
  expect(backup({ isFolderThere: false, last: null })).toMatch(
    /^red: The backup folder cannot be read/,
  )
  expect(backup({ last: null }, { startedAt: NOON - HOUR })).toBe(
    'amber: There is no backup yet; the first one is made tonight.',
  )
  expect(backup({ last: null })).toBe('red: There is no backup yet.')
  expect(backup({ last: null, isAutomatic: false }, { startedAt: NOON })).toBe(
    'red: There is no backup yet.',
  )
})

test('the status page shows a warning for undelivered emails or a missing mailbox, and an alert if the mail server accepts no emails [S-270]', () => {
  const mail = (facts: Partial<StatusFacts['mail']>) =>
    of('Mail', { mail: { ...well.mail, ...facts } })
  expect(mail({ waiting: 2 })).toBe('green: 2 emails will be sent in a moment.')
  expect(mail({ waiting: 2, lateSince: NOON - HOUR / 2 })).toBe(
    'green: 2 emails will be sent in a moment.',
  )
  expect(mail({ waiting: 2, lateSince: NOON - 2 * HOUR })).toBe(
    'red: 2 emails wait, the oldest since March 04, 2026, 10:00 AM: the mail server does not accept them.',
  )
  expect(mail({ undelivered: 1 })).toBe('amber: 1 email could not be delivered.')
  expect(mail({ hasServer: false })).toMatch(/^amber: No mailbox is set up/)
})

test('the status page warns of pictures that could not be resized, and of errors in the log [S-270]', () => {
  const images = (facts: Partial<StatusFacts['images']>) =>
    of('Pictures', { images: { ...well.images, ...facts } })
  expect(images({ waiting: 1 })).toBe(
    'green: 1 picture is being resized. It is shown in its original size until then.',
  )
  expect(images({ waiting: 3, struggling: 2 })).toBe(
    'amber: 2 pictures could not be resized yet; the shop keeps trying. They are shown in their original sizes.',
  )
  expect(images({ failed: 1 })).toBe(
    'amber: 1 picture could not be resized. It is shown in its original size; uploading again may help.',
  )
  expect([0, 7, 100].map((errors) => of('Errors', { errors }).split(' in')[0])).toEqual([
    'green: None',
    'amber: 7',
    'red: 100',
  ])
})

test('the summary of the status page counts the alerts, or counts the warnings if there are no alerts [S-270]', () => {
  expect(summaryText(said({ errors: 3 })).text).toBe('The shop is fine. One thing is worth a look.')
  expect(summaryText(said({ errors: 3, disk: null })).text).toBe(
    'The shop is fine. 2 things are worth a look.',
  )
  expect(summaryText(said({ errors: 300, disk: null })).text).toBe('One thing needs attention now.')
  expect(summaryText(said({ errors: 300, disk: { free: 1, all: GB } }))).toEqual({
    light: 'red',
    text: '2 things need attention now.',
  })
})

const linesOf = async (shop: TestShop) =>
  Object.fromEntries(
    (await readStatus(shop.shop)).map(({ title, light, text }) => [title, `${light}: ${text}`]),
  )

test('the status page reads the state of emails, pictures, backups, errors and the database from the running shop [S-270]', async () => {
  const shop = await openTestShop({ smtpUrl: 'smtp://127.0.0.1:1' })
  expect(await linesOf(shop)).toMatchObject({
    Mail: 'green: All emails have been sent.',
    Errors: 'green: None in the last 24 hours.',
  })
  expect((await linesOf(shop)).Database).toMatch(/^green: Responding, [\d.]+ (kB|MB)\.$/)
  expect((await linesOf(shop))['Disk space']).toMatch(/ of [\d.,]+ GB are free/)

  const email = { kind: 'contact', to: 'ann@mail.test', subject: 'Hello', text: 'Hello' }
  await shop.shop.outbox.post(shop.db, { id: 'late', ...email }, NOON - 3 * HOUR)
  await shop.db
    .updateTable('outbox')
    .set({ lastError: 'The mail server could not be reached.' })
    .execute()
  const image = {
    path: 'colors/a.jpg',
    width: 1,
    height: 1,
    widths: '[]',
    placeholder: '',
    attempts: 6,
    nextAttemptAt: 0,
  }
  await shop.db
    .insertInto('images')
    .values([
      { id: 'waits', ...image, createdAt: NOON - 2 * HOUR, state: 'waiting' },
      { id: 'failed', ...image, path: 'colors/b.jpg', createdAt: 0, state: 'failed' },
    ])
    .execute()
  await mkdir(join(shop.folder, 'backups'))
  await writeFile(
    join(shop.folder, 'backups', backupFileName(NOON - 5 * HOUR, 'nightly')),
    'x'.repeat(2000),
  )
  for (let count = 0; count < 7; count += 1) shop.shop.processInfo.errors.count()
  expect(await linesOf(shop)).toMatchObject({
    Mail: 'red: 1 email waits, the oldest since March 04, 2026, 9:00 AM: the mail server does not accept them.',
    Pictures: expect.stringMatching(/^amber: 1 picture could not be resized yet/),
    Backup: 'green: The last one is from March 04, 2026, 7:00 AM (2.0 kB).',
    Errors: expect.stringMatching(/^amber: 7 in the last 24 hours/),
  })
  shop.clock.now += 25 * HOUR
  expect((await linesOf(shop)).Errors).toBe('green: None in the last 24 hours.')
})

test('the Settings page links to the status page, and alerts appear on the dashboard and as a count beside "Settings" [S-270] [S-271]', async () => {
  const { shop, owner } = await openShopWithOwner()
  const settings = within(pageOf(await owner.page('/manage/settings/')).getByRole('main'))
  expect(hrefOf(settings, 'How the shop is doing')).toBe('/manage/status/')
  expect(wordsOf(await owner.page('/manage/'))).not.toContain('Needs attention now')
  for (let count = 0; count < 200; count += 1) shop.shop.processInfo.errors.count()
  const html = await owner.page('/manage/status/')
  const page = pageOf(html)
  expect(page.getByRole('heading', { level: 1 }).textContent).toBe('How the shop is doing')
  expect(wordsOf(html)).toMatch(
    /One thing needs attention now\. .* Errors Needs attention now 200 in the last 24 hours\./,
  )
  expect(Object.values(statusTexts.severities).every((name) => html.includes(name))).toBe(true)
  expect(page.getByText('Settings', { selector: 'summary' })).toBeTruthy()
  const dashboard = await owner.page('/manage/')
  expect(wordsOf(dashboard)).toContain('Needs attention now: Errors. How the shop is doing')
  for (const link of pageOf(dashboard).getAllByRole('link', { name: 'Settings' })) {
    expect(link.getAttribute('href')).toBe('/manage/settings/')
    expect(link.nextElementSibling!.textContent).toBe('11 to handle now')
  }
})
