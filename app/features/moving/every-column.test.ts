import { expect, test } from 'vitest'
import type { Db } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { listAllRows, type AllRows } from '#test/all-rows.ts'
import { importInto, openSecondShop } from '#test/moving-shops.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { exported, fillRichShop } from '#test/rich-shop.ts'

/** What does not move, on purpose (022). Whatever is not named here must come back as it was. */
const stays: Record<string, '*' | string[]> = {
  // Accounts come without their ways in, letters and the history stay behind, undoing ends with the move, each shop has its own imports.
  ...{
    account: '*',
    session: '*',
    verification: '*',
    addressProofs: '*',
    twoFactor: '*',
    usedCodes: '*',
    outbox: '*',
    audit: '*',
    discountChanges: '*',
    formerDiscounts: '*',
    imports: '*',
    reminders: '*',
    rateLimits: '*',
    marks: '*',
    backups: '*',
    tableChecks: '*',
    // Kept by triggers from what moves (042).
    ...{
      unreadCounts: '*',
      wantedItems: '*',
      salesDays: '*',
      salesYears: '*',
      requestDays: '*',
      actNames: '*',
      itemWords: '*',
      orderWords: '*',
    },
  },
  user: ['twoFactorEnabled'],
  // A guest's step on the way to her account, good for minutes.
  guestLinks: '*',
  // Uploads that are in no message yet are their senders' own.
  chatUploads: '*',
  // A picture is known by its path; its widths are made anew.
  pictures: ['id', 'widths', 'placeholder', 'createdAt', 'state', 'attempts', 'nextAttemptAt'],
  ...{
    categories: ['pictureId'],
    colors: ['pictureId'],
    itemPictures: ['pictureId'],
    showcase: ['pictureId'],
    messagePictures: ['pictureId'],
  },
  items: ['revision'],
  // The order of the places is kept, not their numbers.
  orderItems: ['position'],
}

async function fillEveryColumn(db: Db, writerId: string) {
  const face = '/pictures/people/owner.240.webp'
  await db.updateTable('colors').set({ isAvailable: 0 }).where('id', '=', 'cream').execute()
  await db.updateTable('items').set({ soleType: 'Leather' }).where('id', '=', 'item-moon').execute()
  await db.updateTable('orders').set({ userPhotoURL: face }).where('id', '=', writerId).execute()
  await db.updateTable('sales').set({ buyerPhotoURL: face }).where('id', '=', 'sale-1').execute()
  await db.updateTable('user').set({ image: face, emailVerified: true }).where('id', '=', writerId).execute()
  await db.insertInto('showcase').values({ id: 's9', title: 'More', pictureId: null, categoryId: 'walls', deg: 90, position: 4 }).execute()
  await db.updateTable('requests').set({ saleId: 'sale-1' }).where('orderId', '=', writerId).execute()
  await db.updateTable('testimonies').set({ isAvailable: 1 }).execute()
  const who = { writerId, writerName: 'Ann', writerEmail: 'ann@mail.test', writerPhotoURL: face }
  const marks = { isAvailable: 0, isValidated: 0, showOnPage: 0 } as const
  await db
    .insertInto('testimonies')
    .values({ id: 't9', receiptTag: null, ...who, testimony: 'Soft', ...marks, createdAt: 10, writtenAt: 20 })
    .execute()
  for (const position of [0, 1])
    await db
      .insertInto('testimonyItems')
      .values({ testimonyId: 't9', position, itemId: `item-${position}`, name: 'Bag', priceCents: 250, salePriceCents: 200 })
      .execute()
}

/** The two databases write dates and flags in their own ways; the owner here stays who she is. */
const valuesOf = (rows: AllRows[string], column: string) =>
  rows
    .filter((row) => row.id !== ADMIN_ID)
    .map(({ [column]: value }) => (value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? Number(value) : value))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

test('022 every column of every table comes back as it was, unless it is named here: a new one cannot be forgotten', async () => {
  const shop = await openTestShop()
  const { ann } = await fillRichShop(shop)
  await fillEveryColumn(shop.db, ann.id)
  const second = await openSecondShop(shop.shop)
  await importInto(second, await exported(shop))
  const [before, after] = [await listAllRows(shop.db), await listAllRows(second.db)]
  const lost: string[] = []
  for (const { name: table, columns } of await shop.db.introspection.getTables()) {
    if (stays[table] === '*') continue
    for (const { name: column, hasDefaultValue } of columns.filter(({ name }) => !stays[table]?.includes(name))) {
      const [there, here] = [before, after].map((all) => valuesOf(all[table]!, column))
      if (JSON.stringify(there) !== JSON.stringify(here)) lost.push(`${table}.${column} is lost`)
      // What every row has by itself would pass although nobody moved it.
      const kinds = new Set(there)
      if (hasDefaultValue ? kinds.size < 2 : [...kinds].every((value) => value === '' || value === null || value === 0))
        lost.push(`${table}.${column} has no value in this test`)
    }
  }
  expect(lost).toEqual([])
  await second.close()
})
