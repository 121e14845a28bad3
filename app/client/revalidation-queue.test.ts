import { expect, test } from 'vitest'
import { createRevalidationQueue } from './revalidation-queue.ts'

/**
 * Creates a queue whose loads end only when the test ends them. Short pauses end immediately, and the timeout for a load that hangs never ends.
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

test('loads the data again at the first change, and once more for changes during the load', async () => {
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

test('does not wait for a load that hangs on a lost connection', async () => {
  const page = openPage()
  page.changed()
  page.reconnected()
  expect(page.count()).toBe(2)
  page.changed()
  await page.end(0)
  expect(page.count()).toBe(2)
  await page.end(1)
  expect(page.count()).toBe(3)
})
