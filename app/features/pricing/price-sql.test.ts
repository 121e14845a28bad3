// The price rule stands twice, once for JavaScript and once for SQL: this holds one against the other.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { addCategory } from '#test/sample-catalogue.ts'
import { discountedPrice, type Discount } from './money.ts'
import { shownPrice } from './price-sql.server.ts'

type Priced = { price: number; discount: Discount | null }
const MOST = 999_999_999

const cents = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: MOST }), fc.constantFrom(1, 2, 3, MOST))
const discount: fc.Arbitrary<Discount | null> = fc.oneof(
  fc.constant(null),
  fc.record({
    type: fc.constant('percent' as const),
    value: fc.oneof(fc.integer({ min: 1, max: 12_000 }), fc.constantFrom(9_999, 10_000, 10_001)),
  }),
  fc.record({ type: fc.constant('amount' as const), value: cents }),
)
/** Where half a cent decides, and where nothing is left. */
const edges: Priced[] = [
  { price: 1, discount: { type: 'percent', value: 5_000 } },
  { price: 333, discount: { type: 'percent', value: 1_250 } },
  { price: MOST, discount: { type: 'percent', value: 1 } },
  { price: 1, discount: { type: 'percent', value: 10_001 } },
  { price: 500, discount: { type: 'amount', value: 500 } },
  { price: 500, discount: { type: 'amount', value: MOST } },
]

test('DISC-55 DISC-56 S-064 S-065 the database prices every item as the pages do', async () => {
  const { db } = await openTestShop()
  await addCategory(db, 'bags')
  const texts = { name: '', description: '', width: '', soleType: '', size: '', categoryId: 'bags', createdAt: 1, firstCreatedAt: 1 }
  const all = fc.array(fc.record({ price: cents, discount }), { minLength: 50, maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(all, async (some) => {
      const items = [...edges, ...some]
      await db.deleteFrom('items').execute()
      await db
        .insertInto('items')
        .values(
          items.map(({ price, discount: off }, at) => ({
            ...texts,
            id: String(at),
            priceCents: price,
            discountType: off?.type ?? null,
            discountValue: off?.value ?? null,
          })),
        )
        .execute()
      const rows = await db
        .selectFrom('items')
        .select(['id', shownPrice.as('shown')])
        .execute()
      const shown = new Map(rows.map((row) => [row.id, row.shown]))
      for (const [at, { price, discount: off }] of items.entries())
        expect([price, off, shown.get(String(at))]).toEqual([price, off, discountedPrice(price, off)])
    }),
    { numRuns: 20 },
  )
})
