import { expect, test } from 'vitest'
import { openTestDatabase } from '#test/test-database.ts'
import { signals } from './migrations/030-signals.ts'

/** What nobody sees, or only along with a table that tells. */
const quiet: Record<string, string> = {
  verification: 'steps of signing in',
  guestLinks: 'a step on the way to an account',
  usedCodes: 'codes that count once',
  pictures: 'told in parts by who makes the widths; a new one is named by another table',
  chatUploads: 'seen by the tab that sends it',
  reminders: 'the letter is in the outbox',
  audit: 'written along with what it tells',
  formerDiscounts: 'written along with the discount',
  imports: 'written along with what is moved',
  rateLimits: 'nobody sees them',
  marks: 'nobody sees them',
  backups: 'told by who makes them',
  tableChecks: 'seen by the page that its maker is sent to',
  testimonyItems: 'written along with their ticket',
  actNames: 'kept from the history (042)',
  salesDays: 'kept from sales (042)',
  salesYears: 'kept from sales (042)',
  requestDays: 'kept from requests (042)',
  unreadCounts: 'kept from messages (042)',
  wantedItems: 'kept from orders (042)',
  itemWords: 'kept from items, for searches',
  orderWords: 'kept from orders, for searches',
}

test('043 every table tells of its changes, or it is known why not: a new one cannot be forgotten', async () => {
  const { db, close } = await openTestDatabase()
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  await close()
  const silent = tables.filter((name) => !(name in signals) && !(name in quiet))
  expect(silent, 'tables that neither tell nor are named in this test').toEqual([])
  expect(Object.keys({ ...signals, ...quiet }).filter((name) => !tables.includes(name))).toEqual([])
})
