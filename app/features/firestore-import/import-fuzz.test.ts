/** @module-tag random */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importInto, newFolder, openSecondShop } from '#test/fixtures/data-folders.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const id = fc.constantFrom(
  'a',
  'b',
  'walls',
  'moon',
  'owner',
  'ümläut',
  '__proto__',
  'x y',
  'unsorted',
)
const oddity = fc.oneof(
  { maxDepth: 2 },
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.record({ _seconds: fc.integer(), _nanoseconds: fc.integer() }),
  fc.record({
    __datatype__: fc.constantFrom('timestamp', 'documentReference', 'geopoint'),
    value: fc.oneof(fc.string(), fc.object()),
  }),
  fc.object({ maxDepth: 2, maxKeys: 4 }),
)
const time = fc.oneof(
  fc.integer({ min: -1e14, max: 1e14 }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
)
const price = fc.oneof(
  fc.double({ min: -10, max: 2e7, noNaN: true }),
  fc.constantFrom('12.50', '12,5', 'NaN', '', 0, 1e300),
)
const email = fc.constantFrom('a@b', 'A@b', 'c@d', '')
const fields =
  'id name email message sender read url photoURL title color colors description category categoryID deg width size discount type price ' +
  'salePrice isSold isAvailable isClosed isAnonymous isLowOnStock showOnPage fromContactPage receiptTag displayName favItems images ' +
  'items item messages user writerid writerName testimony buyerid buyerName buyerEmail createdAt shop'

/**
 * Generates documents with fields of any collection and any values, including lists and nested
 * documents.
 */
const { document } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    oddity,
    id,
    price,
    time,
    email,
    fc.boolean(),
    fc.array(tie('document'), { maxLength: 4 }),
    tie('document'),
  ),
  document: fc.dictionary(fc.constantFrom(...fields.split(' ')), tie('value'), { maxKeys: 15 }),
}))
const collections = [
  'users',
  'accounts',
  'orders',
  'items',
  'colors',
  'category',
  'showcase',
  'testimony',
  'sales',
]
const collection = fc.array(fc.tuple(id, fc.oneof({ weight: 9, arbitrary: document }, oddity)), {
  maxLength: 4,
})
const hosted = fc.record(Object.fromEntries(collections.map((name) => [name, collection])))

test('the import imports or reports any Firestore document, and never throws an error [S-128]', async () => {
  const base = await openTestShop()
  const seen: number[] = []
  await fc.assert(
    fc.asyncProperty(hosted, async (documents) => {
      const path = join(await newFolder(), 'hosted.json')
      // Builds the JSON text by hand, because an object cannot contain duplicate keys.
      const texts = Object.entries(documents).map(([name, entries]) => {
        const inside = entries.map(
          ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`,
        )
        return `${JSON.stringify(name)}:{${inside.join(',')}}`
      })
      await writeFile(path, `{"__collections__":{${texts.join(',')}}}`)
      const one = await openSecondShop(base.shop)
      try {
        const named = await importInto(one, path, { adminIds: ['owner'] })
        // The import refuses the uid 'owner' if only other users wrote messages. After such a
        // refusal, the test imports the documents without the uid of an owner.
        const { done, report, counts } = named.done.ok
          ? named
          : await importInto(one, path, { adminIds: [] })
        expect(done).toMatchObject({ ok: true })
        const isEmpty = Object.values(documents).every((entries) => entries.length === 0)
        expect(
          report.issues() > 0 ||
            isEmpty ||
            Object.values(counts).every(({ found, taken }) => found === taken),
        ).toBe(true)
        seen.push(report.issues())
      } finally {
        await one.close()
      }
    }),
    {
      numRuns: 60,
      // Earlier runs of this test failed with these inputs.
      examples: [
        [{ sales: [['a', { buyerid: '\0', buyerEmail: 'a@b' }]] }],
        [
          {
            colors: [
              [
                'a',
                {
                  isAvailable: { toString: {} },
                  createdAt: { seconds: 1, nanos: { toString: {} } },
                },
              ],
            ],
            showcase: [['a', { deg: { toString: 1 } }]],
          },
        ],
        [{ orders: [['a', { user: { email: { toString: {} } } }]] }],
      ],
    },
  )
  expect(Math.max(...seen)).toBeGreaterThan(5)
})
