import { expect, test } from 'vitest'
import { createRevalidationQueue } from './revalidation-queue.ts'

/**
 * Creates a queue in which each load of the page's data ends only when the test calls `end`. Short
 * pauses end immediately, and a load never times out.
 */
function openPage() {
  const ends: (() => void)[] = []
  const reloads = createRevalidationQueue(
    () => new Promise<void>((done) => ends.push(done)),
    (time) => (time < 1000 ? Promise.resolve() : new Promise(() => {})),
  )
  const settled = () => new Promise((done) => setTimeout(done))
  const end = (number: number) => (ends[number]!(), settled())
  return { ...reloads, end, count: () => ends.length }
}

test('several changes while the page’s data is loading cause only one more load', async () => {
  const page = openPage()
  for (let i = 0; i < 5; i++) page.changed()
  expect(page.count()).toBe(1)

  await page.end(0)
  expect(page.count()).toBe(2)
  await page.end(1)
  expect(page.count()).toBe(2)

  page.changed()
  expect(page.count()).toBe(3)
})

test('after a reconnect, the page loads its data immediately, even if an earlier load has not ended', async () => {
  const page = openPage()
  page.changed()
  page.reloadNow()
  expect(page.count()).toBe(2)
  page.changed()
  await page.end(0)
  expect(page.count()).toBe(2)
  await page.end(1)
  expect(page.count()).toBe(3)
})
