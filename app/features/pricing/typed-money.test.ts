import { expect, test } from 'vitest'
import { defaultSettings } from '#settings/setting-declarations.server.ts'
import { addColor } from '#test/fixtures/catalog.ts'
import { uploadTable } from '#test/fixtures/csv.ts'
import { formOf } from '#test/fixtures/html.ts'
import { addSale } from '#test/fixtures/orders.ts'
import { openShopWithOrder } from '#test/fixtures/prepared-shops.ts'

/**
 * Sends the text in every money field of the shop. Returns the responses, and the cents that the
 * shop has stored for each field, or null if it has stored nothing.
 */
async function typeEverywhere(typed: string) {
  const { shop, owner, act } = await openShopWithOrder()
  await addColor(shop.db, 'ash')
  await addSale(shop.db)
  const answers: Record<string, string> = {}
  const found = async (rows: { execute: () => Promise<object[]> }) =>
    (await rows.execute()).flatMap((row) => Object.values(row))[0] ?? null
  const discount = {
    type: 'amount',
    value: typed,
    color: 'ash',
    item: 'sun',
    confirm: 'Yes',
    count: '1',
    free: '1',
  }
  const item = {
    name: 'New',
    categoryId: 'walls',
    price: typed,
    description: 'x',
    width: '',
    soleType: '',
    size: '',
  }
  answers.item = await (
    await owner.post('/manage/item/', formOf({ intent: 'save', state: 'draft', ...item }))
  ).text()
  answers.color = (await owner.act('/manage/discount/', { intent: 'color-go', ...discount })).text
  for (const free of ['0', '1']) {
    answers.items = (
      await owner.act('/manage/discount/', { intent: 'items-apply', ...discount, free })
    ).text
  }
  answers.settings = (
    await owner.act('/manage/settings/', { ...defaultSettings, defaultShipping: typed })
  ).text
  answers.shipping = (
    await owner.act('/manage/sales/', { receipt: 'TAG00001', paper: 'Invoice', shipping: typed })
  ).text
  answers.sale = (await act({ intent: 'complete', itemId: 'moon', price: typed })).text
  const cell = `"${typed}"`
  const rows = `id,name,category,price,description,discount type,discount value\n,Star,walls,${cell},x,,\nsun,Sun wall,walls,12,x,amount,${cell}`
  const read = async (body: string) => {
    const { address, page } = await uploadTable(owner, body)
    return [
      page + (await owner.page(`${address}&show=refused`)),
      page.match(/(?<=Star category walls price \$)[\d,.]+/)?.[0],
    ] as const
  }
  const [csv, csvPrice] = await read(rows)
  const [etsy, etsyPrice] = await read(`TITLE,DESCRIPTION,PRICE,CURRENCY_CODE\nStar,x,${cell},USD`)
  Object.assign(answers, { csv, etsy })
  const { db } = shop
  const written = [
    await found(db.selectFrom('items').select('priceCents').where('name', '=', 'New')),
    await found(db.selectFrom('colors').select('discountValue')),
    await found(db.selectFrom('items').select('discountValue').where('id', '=', 'sun')),
    await found(db.selectFrom('invoices').select('shippingCents')),
    await found(db.selectFrom('sales').select('salePriceCents').where('itemId', '=', 'moon')),
    ...[csvPrice, etsyPrice].map((price) => (price ? Number(price.replaceAll(/\D/g, '')) : null)),
  ]
  return {
    answers,
    written,
    usual: await found(
      db.selectFrom('settings').select('value').where('key', '=', 'defaultShipping'),
    ),
  }
}

test.for(Object.entries({ '€ 45': 4500, '1,000.50': 100_050, '12,50': 1250, '1.000,50': 100_050 }))(
  'every money field stores the same amount for "%s" [OWN-37]',
  async ([typed, cents]) => {
    const { written, usual } = await typeEverywhere(typed)
    expect(written).toEqual(Array(7).fill(cents))
    expect(usual).toEqual(JSON.stringify(typed))
  },
)

test.for(['-3', '1e3', '٤٥', '45 dollars', '1,234'])(
  'every money field refuses "%s" and shows an example of an amount [OWN-38]',
  async (typed) => {
    const { answers, written, usual } = await typeEverywhere(typed)
    // The shop stores a negative shipping fee as 0, and refuses "-3" in all other fields.
    // [SALES-38]
    expect(written).toEqual([null, null, null, typed === '-3' ? 0 : null, null, null, null])
    expect(usual).toBe(null)
    const without = Object.keys(answers).filter(
      (field) => !answers[field]!.match(/(?<!shop, )such as (12|45)\.50/),
    )
    expect(without).toEqual(typed === '-3' ? ['shipping'] : [])
  },
)
