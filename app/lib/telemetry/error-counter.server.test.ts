import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { createErrorCounter } from './error-counter.server.ts'

const HOUR = 3_600_000

test('counts the errors of the last day, including errors before a restart, but no older errors', async () => {
  const { folder, clock, shop } = await openTestShop()
  const path = join(folder, 'errors.json')
  const open = () => createErrorCounter(path, shop.now)
  const first = await open()
  first.count()
  first.count()
  await first.close()
  clock.now += 20 * HOUR
  const second = await open()
  second.count()
  expect(second.lastDay()).toBe(3)
  await second.close()
  clock.now += 10 * HOUR
  expect((await open()).lastDay()).toBe(1)
  expect(await readFile(path, 'utf8')).not.toMatch(/[a-z]/i)
})

test('counts from zero when the file with the counts cannot be read or written', async () => {
  const { folder, shop } = await openTestShop()
  const path = join(folder, 'errors.json')
  for (const broken of ['', '{', '{"a":1}', '[["x",1],[1],null]']) {
    await writeFile(path, broken)
    const tally = await createErrorCounter(path, shop.now)
    expect(tally.lastDay(), broken).toBe(0)
  }
  const nowhere = await createErrorCounter(join(folder, 'no', 'folder', 'errors.json'), shop.now)
  nowhere.count()
  await nowhere.close()
  expect(nowhere.lastDay()).toBe(1)
})
