import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { saveSettings } from '#settings/settings.server.ts'
import { NOON, openTestShop } from '#test/fixtures/test-shop.ts'
import { backupFileName } from './backup.ts'
import { backUpIfDue, lastRun, nextRun, readBackups } from './backups.server.ts'

const HOUR = 3_600_000
const DAY = 86_400_000
const at = (text: string) => Date.parse(text)

test('the nightly backup runs at the shop’s local time, even on the days of clock changes [S-265]', () => {
  const zone = 'America/New_York'
  expect(lastRun('03:30', at('2026-03-04T12:00:00Z'), zone)).toBe(at('2026-03-04T08:30:00Z'))
  expect(nextRun('03:30', at('2026-03-04T12:00:00Z'), zone)).toBe(at('2026-03-05T08:30:00Z'))
  expect(lastRun('03:30', at('2026-03-04T08:29:59Z'), zone)).toBe(at('2026-03-03T08:30:00Z'))
  expect(lastRun('03:30', at('2026-03-04T08:30:00Z'), zone)).toBe(at('2026-03-04T08:30:00Z'))
  // Because of clock changes, the time 2:30 does not exist on March 8, and the time 1:30 occurs
  // twice on November 1.
  expect(lastRun('02:30', at('2026-03-08T12:00:00Z'), zone)).toBe(at('2026-03-08T07:30:00Z'))
  for (const [night, time] of [
    ['2026-03-08', '02:30'],
    ['2026-11-01', '01:30'],
  ] as const) {
    const points = new Set<number>()
    for (
      let now = at(`${night}T00:00:00Z`) - DAY;
      now < at(`${night}T00:00:00Z`) + 2 * DAY;
      now += HOUR / 4
    ) {
      expect(lastRun(time, now, zone)).toBeLessThanOrEqual(now)
      expect(nextRun(time, now, zone)).toBeGreaterThan(now)
      points.add(lastRun(time, now, zone))
    }
    expect(points.size, night).toBe(4)
  }
})

test('several processes together make one backup each night, catch up on a missed backup, and keep only the newest backups [S-265]', async () => {
  const shop = await openTestShop()
  const second = { ...shop.shop, backup: { ...shop.shop.backup } }
  shop.clock.now = NOON
  const both = () => Promise.all([backUpIfDue(shop.shop), backUpIfDue(second)])
  expect((await both()).filter(Boolean)).toHaveLength(1)
  expect((await both()).filter(Boolean)).toEqual([])
  shop.clock.now = NOON + DAY - 9 * HOUR
  expect((await both()).filter(Boolean)).toEqual([])
  for (let day = 1; day <= 4; day += 1) {
    shop.clock.now = NOON + day * DAY
    expect((await both()).filter(Boolean)).toHaveLength(1)
  }
  const { archives, next, failure } = await readBackups(shop.shop)
  expect(archives.map((one) => [one.reason, one.at])).toEqual(
    [4, 3, 2].map((day) => ['nightly', NOON + day * DAY]),
  )
  for (const { name } of archives) expect(name).toMatch(/^shop-2026-[\dT-]+Z-nightly\.zip$/)
  expect(next).toEqual(at('2026-03-09T03:30:00Z'))
  expect(failure).toBe(null)
  expect(shop.changedTopics).toContain('backups')
  expect(await backUpIfDue({ ...shop.shop, backup: { ...shop.shop.backup, at: null } })).toBe(false)
})

test('when a backup fails, the owner sees the error, no file is left, and the shop tries again after an hour [S-266]', async () => {
  const shop = await openTestShop()
  const log: unknown[] = []
  const full = {
    ...shop.storage,
    list: async () => [{ path: 'items/a.webp', changedAt: 0, size: 1e18 }],
  }
  const broken = {
    ...shop.shop,
    storage: full,
    log: { ...shop.shop.log, error: (message: string) => void log.push(message) },
  }
  expect(await backUpIfDue(broken)).toBe(true)
  const facts = await readBackups(shop.shop)
  expect(facts).toMatchObject({ archives: [], failure: { at: NOON } })
  expect(facts.failure!.error).toMatch(
    /^There is not enough space on the disk: a backup may need [\d,]+ GB, and .* are free\.$/,
  )
  expect(await (await shop.owner()).page('/manage/backups/')).toContain(
    'There is not enough space on the disk',
  )
  expect(log).toEqual(['a backup could not be made'])
  shop.clock.now = NOON + HOUR - 1
  expect(await backUpIfDue(shop.shop)).toBe(false)
  shop.clock.now = NOON + HOUR
  expect(await backUpIfDue(shop.shop)).toBe(true)
  expect(await readBackups(shop.shop)).toMatchObject({
    archives: [{ reason: 'nightly' }],
    failure: null,
  })

  // One image that cannot be read makes the whole backup fail.
  const unreadable = {
    ...shop.shop,
    storage: {
      ...shop.storage,
      list: async () => [{ path: 'items/a.webp', changedAt: 0, size: 1 }],
      read: () => Promise.reject(new Error('EIO')),
    },
  }
  shop.clock.now = NOON + DAY
  await backUpIfDue({ ...unreadable, log: broken.log })
  expect((await readdir(shop.shop.backup.folder)).length).toBe(1)
})

test('the shop deletes the partial files of a killed backup, but neither deletes nor lists other files in the folder [S-266]', async () => {
  const shop = await openTestShop()
  const { folder } = shop.shop.backup
  await mkdir(folder)
  const unfinished = join(folder, `.${backupFileName(0, 'nightly')}.part`)
  for (const path of [
    unfinished,
    join(folder, 'before-migration-1.db'),
    join(folder, 'notes.txt'),
  ]) {
    await writeFile(path, 'x')
  }
  await utimes(unfinished, 0, 0)
  await backUpIfDue(shop.shop)
  expect((await readdir(folder)).toSorted()).toEqual([
    'before-migration-1.db',
    'notes.txt',
    backupFileName(NOON, 'nightly'),
  ])
  expect((await readBackups(shop.shop)).archives).toHaveLength(1)
})

test('the nightly backup runs at its time in the time zone that the owner has set [OWN-40]', async () => {
  const shop = await openTestShop({ now: Date.UTC(2026, 2, 4, 12), timeZone: 'UTC' })
  await saveSettings(shop.db, { timeZone: 'America/New_York' }, shop.now())
  await backUpIfDue(shop.shop)
  expect(await shop.db.selectFrom('backups').select('id').execute()).toEqual([
    { id: 'nightly-2026-03-04T08:30:00.000Z' },
  ])
})
