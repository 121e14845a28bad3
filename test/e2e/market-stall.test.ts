import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteDatabase } from '#services/database.server.ts'
import type { Db } from '#db/schema.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { isHydrated, OWNER, PHONE, shopAndBrowser, signIn } from '#test/fixtures/browser.ts'

const here = shopAndBrowser()
let db: Db
let closeDatabase: () => Promise<void>

beforeAll(async () => {
  const database = openSqliteDatabase(here.shop.dataDir)
  db = database.db
  closeDatabase = database.close
  await addCategory(db, 'walls', { title: 'Walls' })
  await addItem(db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900 })
  await addItem(db, 'owl', 'walls', { name: 'Owl', priceCents: 2500 })
})
afterAll(() => closeDatabase())

const openStall = () => here.open('/manage/market/', { as: OWNER, viewport: PHONE })
const isStored = (page: Page) => page.getByText('This page works without a connection.').waitFor()
const unsent = (page: Page) => page.getByText('Not sent yet', { exact: true })

async function sell(page: Page, piece: string, { price = '', method = '' } = {}) {
  await page.getByRole('list', { name: 'Pieces' }).getByRole('button', { name: piece }).click()
  const dialog = page.getByRole('dialog')
  if (price) await dialog.getByLabel('Price').fill(price)
  if (method) await dialog.getByLabel(method).check()
  await dialog.getByRole('button', { name: 'Sold', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Returns and deletes the stored sales. One statement, so that no sale is deleted unseen. */
const takeSales = async () => {
  const sales = await db
    .deleteFrom('sales')
    .returning(['itemName', 'salePriceCents', 'method', 'createdAt'])
    .execute()
  return sales
    .toSorted((left, right) => left.createdAt - right.createdAt)
    .map(({ itemName, salePriceCents, method }) => `${itemName} ${salePriceCents} ${method}`)
}

test(
  'the market stall works offline, and each sale reaches the shop exactly once, even if a response is lost [AGREE-76, AGREE-78]',
  { tags: ['core'] },
  async () => {
    const page = await openStall()
    await isStored(page)
    await page.context().setOffline(true)
    await page.reload()
    await isHydrated(page)
    await page.getByText('No connection.').waitFor()

    await sell(page, 'Moon wall')
    await sell(page, 'Owl', { price: '20', method: 'Card reader' })
    await page.reload()
    await isHydrated(page)
    await sell(page, 'Other amount', { price: '3,50', method: 'Cash' })
    await expect.poll(() => unsent(page).count()).toBe(3)
    expect(await page.getByRole('region', { name: 'Today' }).textContent()).toContain(
      'Total $112.50',
    )

    // The shop stores the first sale, but the browser does not receive the HTTP response.
    await page.route(
      '**/manage/market/sales',
      async (route) => void (await route.fetch(), await route.abort()),
      { times: 1 },
    )
    await page.context().setOffline(false)
    await page.getByText('All sales are sent.').waitFor()
    expect(await unsent(page).count()).toBe(0)
    expect(await takeSales()).toEqual(['Moon wall 8900 cash', 'Owl 2000 card', 'Other 350 cash'])
  },
)

test('the market stall keeps a logged-out owner’s unsent sales, and sends them after a login [AGREE-77]', async () => {
  const page = await openStall()
  await isStored(page)
  await page.context().clearCookies()
  await sell(page, 'Owl')
  await page.getByText('You are logged out.').waitFor()
  await unsent(page).waitFor()
  // The shop redirects a logged-out visitor, but after a reload the browser still shows the
  // stored page of the market stall.
  await page.reload()
  await isHydrated(page)
  await page.getByText('You are logged out.').waitFor()
  await unsent(page).waitFor()
  expect(await takeSales()).toEqual([])

  await signIn(page, OWNER)
  await page.reload()
  await page.getByText('All sales are sent.').waitFor()
  expect(await takeSales()).toEqual(['Owl 2500 cash'])
})

const cachedPage = (page: Page) =>
  page.evaluate(async () => (await caches.match('/manage/market/'))?.text() ?? '')

test('the stored copy of the market stall contains neither the owner’s email nor sales, and after a logout only unsent sales stay [LOGIN-59, S-486]', async () => {
  const page = await openStall()
  await isStored(page)
  await sell(page, 'Owl')
  await page.getByText('All sales are sent.').waitFor()
  await expect.poll(() => cachedPage(page)).toContain('Moon wall')
  expect(await cachedPage(page)).not.toMatch(new RegExp(`${OWNER.email}|2500.*cash`))
  const today = page.getByRole('region', { name: 'Today' })
  await page.context().setOffline(true)
  await page.reload()
  await isHydrated(page)
  await today.getByText('Total $25.00').waitFor()
  await page.context().setOffline(false)

  await logOut(page)
  expect(await cachedPage(page)).toBe('')

  await signIn(page, OWNER)
  await page.goto('/manage/market/')
  await isStored(page)
  await page.route('**/manage/market/sales', (route) => route.abort())
  await sell(page, 'Moon wall')
  await unsent(page).waitFor()
  await logOut(page)
  await page.goto('/manage/market/')
  await page.getByText('You are logged out.').waitFor()
  expect(await today.getByRole('listitem').count()).toBe(1)
  await page.unroute('**/manage/market/sales')
  await signIn(page, OWNER)
  await page.reload()
  await page.getByText('All sales are sent.').waitFor()
  expect(await takeSales()).toEqual(['Owl 2500 cash', 'Moon wall 8900 cash'])
})

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(`${here.shop.url}/`)
}

test('the owner can remove an unsent sale, and the service worker affects no other page [AGREE-76, AGREE-78]', async () => {
  const page = await openStall()
  await isStored(page)
  await page.goto('/gallery/')
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBe(null)
  await page.goto('/manage/market/')
  await page.context().setOffline(true)
  await sell(page, 'Owl')
  await unsent(page).waitFor()
  await page.getByRole('button', { name: 'Remove the sale of Owl' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await unsent(page).waitFor({ state: 'detached' })
  await expect(page.goto('/about/')).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
  await page.context().setOffline(false)
  await page.goto('/manage/market/')
  await page.getByText('All sales are sent.').waitFor()
  expect(await takeSales()).toEqual([])
})

test('the market stall does not show a sale that the owner has undone on another page [AGREE-74]', async () => {
  const page = await openStall()
  await isStored(page)
  const today = page.getByRole('region', { name: 'Today' })
  // These requests get no response, so the owner leaves before the page has reloaded the shop's
  // list of sales.
  await page.route(/market.*\.data/, () => {})
  await sell(page, 'Owl')
  await page.getByText('All sales are sent.').waitFor()
  await today.getByText('Total $25.00').waitFor()
  await page.getByRole('link', { name: 'Sales', exact: true }).click()
  await page.getByRole('link', { name: 'Market stall' }).waitFor()
  expect(await takeSales()).toEqual(['Owl 2500 cash'])
  await page.unroute(/market.*\.data/)
  await page.goBack()
  await today.getByText('Total $0.00').waitFor()
})

test('the owner undoes a sale of today after a question; if she is logged out, the stall says so and keeps the page [AGREE-77, AGREE-135]', async () => {
  const page = await openStall()
  await isStored(page)
  const today = page.getByRole('region', { name: 'Today' })
  for (const piece of ['Owl', 'Moon wall']) await sell(page, piece)
  await today.getByText('Total $114.00').waitFor()
  const undo = async (piece: string, answer: string) => {
    await today.getByRole('button', { name: `Undo the sale of ${piece}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: answer }).click()
  }
  await undo('Owl', 'No')
  expect(await today.getByRole('listitem').count()).toBe(2)
  await undo('Owl', 'Yes')
  await page.getByText('The sale was undone. The piece is for sale again.').waitFor()
  await today.getByText('Total $89.00').waitFor()

  await page.context().clearCookies()
  await undo('Moon wall', 'Yes')
  await page.getByText('You are logged out.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/manage/market/')
  expect(await takeSales()).toEqual(['Moon wall 8900 cash'])
})

test('the dialog of a sale stays open until the browser has stored the sale [AGREE-76]', async () => {
  const page = await openStall()
  await isStored(page)
  await page.getByRole('button', { name: 'Owl' }).click()
  const sold = page.getByRole('button', { name: 'Sold', exact: true })
  const endTransaction = await holdSaleStore(page)
  await sold.click()
  await page.locator('button[aria-disabled=true]', { hasText: 'Sold' }).waitFor()
  await endTransaction()
  await sold.waitFor({ state: 'detached' })
  await expect.poll(takeSales).toEqual(['Owl 2500 cash'])
})

/** Other writes to the store of sales wait until the returned function is called. */
async function holdSaleStore(page: Page) {
  const endTransaction = await page.evaluateHandle(async () => {
    const open = indexedDB.open('market-stall')
    await new Promise((resolve) => (open.onsuccess = resolve))
    const store = open.result.transaction('market-stall', 'readwrite').objectStore('market-stall')
    let isHeld = true
    const read = () => {
      if (isHeld) store.count().onsuccess = read
    }
    read()
    return () => {
      isHeld = false
    }
  })
  return () => endTransaction.evaluate((end) => end())
}

test('after the browser could not store a sale, the owner can correct the name of this sale [AGREE-76]', async () => {
  const page = await openStall()
  await isStored(page)
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = () => {
      IDBObjectStore.prototype.put = put
      throw new Error('no space')
    }
  })
  await page.getByRole('button', { name: 'Other amount' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Price').fill('9')
  await dialog.getByLabel('What').fill('Bag')
  const sold = dialog.getByRole('button', { name: 'Sold', exact: true })
  await sold.click()
  await dialog.getByText('This browser could not store the sale').waitFor()
  await dialog.getByLabel('What').fill('Big bag')
  await sold.click()
  await page.getByText('All sales are sent.').waitFor()
  await expect.poll(takeSales).toEqual(['Big bag 900 cash'])
})
