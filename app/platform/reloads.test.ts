import { expect, test } from 'vitest'
import { openReloads } from './reloads.ts'

/** Loads that end when the test says so; pauses end at once, except the one for a load that hangs. */
function openPage() {
  const ends: (() => void)[] = []
  const reloads = openReloads(
    () => new Promise<void>((done) => ends.push(done)),
    (time) => (time < 1000 ? Promise.resolve() : new Promise(() => {})),
  )
  const settled = () => new Promise((done) => setTimeout(done))
  const end = (number: number) => (ends[number]!(), settled())
  return { ...reloads, end, count: () => ends.length }
}

test('the first signal loads at once; those during a load make one more, which begins after the last of them', async () => {
  const page = openPage()
  for (let i = 0; i < 5; i++) page.told()
  expect(page.count()).toBe(1)

  await page.end(0)
  expect(page.count()).toBe(2)
  await page.end(1)
  expect(page.count()).toBe(2)

  page.told()
  expect(page.count()).toBe(3)
})

test('024 signals without a pause hold no load back: each that ends is followed by the next', async () => {
  const page = openPage()
  for (let load = 0; load < 10; load++) {
    page.told()
    page.told()
    expect(page.count()).toBe(load + 1)
    await page.end(load)
  }
})

test('024 a new line does not wait for a load that hangs on the old one, whose late end changes nothing', async () => {
  const page = openPage()
  page.told()
  page.toldAnew()
  expect(page.count()).toBe(2)
  page.told()
  await page.end(0)
  expect(page.count()).toBe(2)
  await page.end(1)
  expect(page.count()).toBe(3)
})
