import { readdir, utimes, writeFile } from 'node:fs/promises'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import { sizeText } from '#app/ui/amounts.ts'
import { backupFileName, parseBackupFileName } from './backup.ts'
import { backUpIfDue, lastRun, nextRun, readBackups } from './backups.server.ts'

const [HOUR, DAY] = [3_600_000, 86_400_000]
const at = (text: string) => Date.parse(text)

test('S-265 the time of the nightly backup is the shop’s own, through the nights of 23 and 25 hours', () => {
  const zone = 'America/New_York'
  expect(lastRun('03:30', at('2026-03-04T12:00:00Z'), zone)).toBe(at('2026-03-04T08:30:00Z'))
  expect(nextRun('03:30', at('2026-03-04T12:00:00Z'), zone)).toBe(at('2026-03-05T08:30:00Z'))
  expect(lastRun('03:30', at('2026-03-04T08:29:59Z'), zone)).toBe(at('2026-03-03T08:30:00Z'))
  expect(lastRun('03:30', at('2026-03-04T08:30:00Z'), zone)).toBe(at('2026-03-04T08:30:00Z'))
  // On March 8 the clocks leave out 2:30; on November 1 there are two of 1:30.
  expect(lastRun('02:30', at('2026-03-08T12:00:00Z'), zone)).toBe(at('2026-03-08T07:30:00Z'))
  for (const [night, time] of [
    ['2026-03-08', '02:30'],
    ['2026-11-01', '01:30'],
  ] as const) {
    const points = new Set<number>()
    for (let now = at(`${night}T00:00:00Z`) - DAY; now < at(`${night}T00:00:00Z`) + 2 * DAY; now += HOUR / 4) {
      expect(lastRun(time, now, zone)).toBeLessThanOrEqual(now)
      expect(nextRun(time, now, zone)).toBeGreaterThan(now)
      points.add(lastRun(time, now, zone))
    }
    expect(points.size, night).toBe(4)
  }
})

test('S-265 each night one backup is made, by one of several processes; one that was missed is made up for; the newest stay', async () => {
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
  expect(archives.map((one) => [one.reason, one.at])).toEqual([4, 3, 2].map((day) => ['nightly', NOON + day * DAY]))
  expect([next, failure]).toEqual([at('2026-03-09T03:30:00Z'), null])
  expect(shop.heard).toContain('backups')
  expect(await backUpIfDue({ ...shop.shop, backup: { ...shop.shop.backup, at: null } })).toBe(false)
})

test('S-266 a backup that came to nothing is told to the owner, leaves nothing behind, and is tried again after an hour', async () => {
  const shop = await openTestShop()
  const log: unknown[] = []
  const full = { ...shop.files, list: async () => [{ path: 'items/a.webp', changedAt: 0, size: 1e18 }] }
  const broken = { ...shop.shop, files: full, log: { ...shop.shop.log, error: (message: string) => void log.push(message) } }
  expect(await backUpIfDue(broken)).toBe(true)
  const facts = await readBackups(shop.shop)
  expect(facts).toMatchObject({ archives: [], failure: { at: NOON } })
  expect(facts.failure!.error).toMatch(/^There is not enough room on the disk: a backup may need [\d,]+ GB, and .* are left\.$/)
  expect(await (await shop.owner()).page('/manage/backups/')).toContain('There is not enough room on the disk')
  expect(log).toEqual(['a backup could not be made'])
  shop.clock.now = NOON + HOUR - 1
  expect(await backUpIfDue(shop.shop)).toBe(false)
  shop.clock.now = NOON + HOUR
  expect(await backUpIfDue(shop.shop)).toBe(true)
  expect(await readBackups(shop.shop)).toMatchObject({ archives: [{ reason: 'nightly' }], failure: null })

  // A picture that cannot be read ends the whole: half a backup is none.
  const unreadable = {
    ...shop.shop,
    files: {
      ...shop.files,
      list: async () => [{ path: 'items/a.webp', changedAt: 0, size: 1 }],
      read: () => Promise.reject(new Error('EIO')),
    },
  }
  shop.clock.now = NOON + DAY
  await backUpIfDue({ ...unreadable, log: broken.log })
  expect((await readdir(shop.shop.backup.folder)).length).toBe(1)
})

test('S-266 what a killed process left half is taken away later; what others put into the folder is left and not shown', async () => {
  const shop = await openTestShop()
  const { folder } = shop.shop.backup
  await mkdir(folder)
  const half = join(folder, `.${backupFileName(0, 'nightly')}.part`)
  for (const path of [half, join(folder, 'before-migration-1.db'), join(folder, 'notes.txt')]) await writeFile(path, 'x')
  await utimes(half, 0, 0)
  await backUpIfDue(shop.shop)
  expect((await readdir(folder)).toSorted()).toEqual(['before-migration-1.db', 'notes.txt', backupFileName(NOON, 'nightly')])
  expect((await readBackups(shop.shop)).archives).toHaveLength(1)
})

test('S-265 names of archives say when and why; sizes read like a person’s', () => {
  expect(backupFileName(NOON + 1, 'by-hand')).toBe('shop-2026-03-04T12-00-00-001Z-by-hand.zip')
  expect(parseBackupFileName(backupFileName(NOON + 1, 'by-hand'))).toEqual({ at: NOON + 1, reason: 'by-hand' })
  for (const odd of [
    '',
    '../shop.zip',
    'shop-2026-03-04T12-00-00-001Z-odd.zip',
    `x${backupFileName(0, 'nightly')}`,
    'shop-2026-99-04T12-00-00-001Z-nightly.zip',
  ])
    expect(parseBackupFileName(odd), odd).toBeNull()
  expect([0, 999, 1000, 12_345, 9_960_000, 1_234_567_890].map(sizeText)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '12 kB',
    '10 MB',
    '1.2 GB',
  ])
})
