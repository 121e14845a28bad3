/**
 * Sends random sequences of actions of three customers, a guest and the owner to the shop. After
 * each action, compares the shop with a simple model.
 *
 * @module-tag random
 */
import fc from 'fast-check'
import { type Selectable, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { OPEN_STATES } from '#offers/offer.ts'
import { endHolds } from '#holds/holds.server.ts'
import { expireOffers } from '#offers/offers.server.ts'
import type { Tables, OfferState } from '#db/schema.ts'
import { type ActName, acts } from '#test/fixtures/agreement-actions.ts'
import {
  type Act as AnyAct,
  agreedPrices,
  CREDIT_CENTS,
  CREDITS,
  DAY,
  dayBefore,
  DEPOSIT_PERCENT,
  ITEMS,
  type Model,
  newModel,
  type Step,
  UNIQUE,
} from '#test/fixtures/agreement-model.ts'
import { changeSettings } from '#settings/settings.server.ts'
import { addCategory, addItem, insert } from '#test/fixtures/catalog.ts'
import { errorsOf } from '#test/fixtures/fuzz.ts'
import { isFull, sized } from '#test/fixtures/size.ts'
import { NOON, openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'

vi.setConfig({ testTimeout: isFull ? 3_600_000 : 300_000 })

const SEQUENCES = Number(
  process.env.FUZZ_INPUTS ?? (process.env.TEST_DATABASE === 'postgres' ? 30 : sized(150, 10_000)),
)
/**
 * The seed of the random sequences changes each day. A failure prints seed and path. FUZZ_SEED and
 * FUZZ_PATH repeat the failed sequence.
 */
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Date.now() / 86_400_000))

type Act = AnyAct & { act: ActName }
const often = {
  request: 3,
  send: 5,
  accept: 5,
  complete: 4,
  cancel: 2,
  move: 2,
  undo: 2,
  pay: 3,
  hold: 2,
} satisfies Partial<Record<ActName, number>>
const names = (Object.keys(acts) as ActName[]).flatMap((name) =>
  Array<ActName>((often as Record<string, number>)[name] ?? 1).fill(name),
)
const anAct: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom(...names),
  who: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
  item: fc.constantFrom(0, 0, 1, 2, 3),
  number: fc.nat(5),
  price: fc.nat(3),
})
const start = (act: ActName, who: number, item: number, number = 0, price = 0): Act => ({
  act,
  who,
  item,
  number,
  price,
})
const requests = [
  start('request', 0, 0),
  start('request', 1, 0),
  start('request', 0, 1),
  start('request', 1, 1),
]
const offers = [...requests, start('send', 0, 0, 1), start('send', 1, 0, 0, 1)]
/**
 * Each sequence begins with one of these, because most actions need a request or an offer. The
 * third begins with an accepted offer.
 */
const beginnings = [requests, offers, [...offers, start('accept', 0, 0, 1)]]

async function openPeople() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  for (const [id, priceCents] of Object.entries(ITEMS)) {
    await addItem(shop.db, id, 'walls', {
      name: id,
      priceCents,
      kind: id === UNIQUE ? 'unique' : '',
    })
  }
  const people = [
    await shop.customer('ann@mail.test'),
    await shop.customer('bea@mail.test'),
    await shop.customer('cora@mail.test'),
  ]
  people.push(await shop.guest())
  for (const [code, at] of Object.entries(CREDITS)) {
    const credit = {
      code,
      userId: people[at]!.id,
      receiptTag: code,
      cents: CREDIT_CENTS,
      createdAt: NOON,
    }
    await insert(shop.db, 'credits', { ...credit, offerId: null, usedAt: null })
  }
  await changeSettings(shop.shop, 'owner', { depositPercent: String(DEPOSIT_PERCENT) })
  return { ...shop, people, admin: await shop.owner(), rowsQuery: toRowsQuery(shop) }
}
type World = Awaited<ReturnType<typeof openPeople>>

const compared = [
  ...([
    'orders',
    'orderItems',
    'offers',
    'offerLines',
    'holds',
    'queueEntries',
    'payments',
    'parcels',
    'credits',
    'sales',
  ] as const),
  ...(['items', 'requests', 'messages', 'audit'] as const),
]
type Rows = { [Name in (typeof compared)[number]]: Selectable<Tables[Name]>[] }

/**
 * Returns a statement that reads all rows of these tables. The test runs it after each action, so
 * it is one statement.
 */
async function toRowsQuery({ db, dialect }: TestShop) {
  const tables = (await db.introspection.getTables()).filter(({ name }) =>
    (compared as readonly string[]).includes(name),
  )
  const parts = tables.map(({ name, columns }) => {
    // PostgreSQL computes the column searchText, and refuses an inserted value for this column.
    const stored = columns.filter((column) => column.name !== 'searchText')
    const fields = sql.join(
      stored.map((column) => sql`${sql.lit(column.name)}, ${sql.ref(column.name)}`),
    )
    const row =
      dialect === 'sqlite' ? sql`json_object(${fields})` : sql`json_build_object(${fields})::text`
    return sql`select ${sql.lit(name)} as name, ${row} as row from ${sql.table(name)}`
  })
  return sql<{ name: keyof Rows; row: string }>`${sql.join(parts, sql` union all `)}`.compile(db)
}

/** Returns the rows of all tables that the actions may write. */
async function readRows({ shop: { db }, rowsQuery }: World): Promise<Rows> {
  const rows: Partial<Record<string, unknown[]>> = Object.fromEntries(
    compared.map((name) => [name, []]),
  )
  const { rows: all } = await db.executeQuery(await rowsQuery)
  for (const { name, row } of all.toSorted((a, b) => (a.row < b.row ? -1 : 1))) {
    rows[name]!.push(JSON.parse(row))
  }
  return rows as Rows
}

const modelAfter = ({ people }: World, acted: readonly Act[]): Model => {
  const model = newModel(
    people.map(({ id }) => id),
    NOON,
  )
  for (const act of acted) acts[act.act](model, act)
  return model
}

/**
 * Resets the shop and performs the first actions of a sequence. Returns the database rows after
 * these actions.
 */
async function prepare(world: World, beginning: readonly Act[]): Promise<Rows> {
  await reset(world)
  const model = modelAfter(world, [])
  for (const act of beginning) await perform(world, acts[act.act](model, act))
  return readRows(world)
}

/** The database generates these columns, so a row that is inserted again must not contain them. */
const withoutGenerated = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !column.startsWith('search')))

/**
 * Replaces the rows of an earlier sequence by the rows of a beginning, so that each sequence can be
 * repeated alone.
 */
async function reset({ shop: { db, live }, clock }: World, rows?: Rows): Promise<void> {
  clock.now = NOON
  for (const table of ['orders', 'sales', 'requests', 'audit', 'outbox'] as const) {
    await db.deleteFrom(table).execute()
  }
  await db
    .updateTable('credits')
    .set({ offerId: null, usedAt: null })
    .where('usedAt', 'is not', null)
    .execute()
  await db.updateTable('items').set({ state: 'listed' }).where('state', '=', 'sold').execute()
  for (const table of [
    'orders',
    'orderItems',
    'offers',
    'offerLines',
    'holds',
    'queueEntries',
    'messages',
    'requests',
  ] as const) {
    if (rows?.[table].length) {
      await insert(db, table, ...(rows[table].map(withoutGenerated) as never[]))
    }
  }
  for (const { code, offerId, usedAt } of rows?.credits ?? []) {
    if (usedAt !== null) {
      await db.updateTable('credits').set({ offerId, usedAt }).where('code', '=', code).execute()
    }
  }
  live.changed('catalog', 'orders')
}

async function perform(world: World, step: Step): Promise<{ isOk: boolean; text: string }> {
  if ('job' in step) {
    if (step.job === 'expire') for (const job of [expireOffers, endHolds]) await job(world.shop)
    return { isOk: true, text: '' }
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(step.form)) {
    for (const one of [value].flat()) form.append(name, one)
  }
  const person =
    step.who === undefined ? world.admin : world.people.find(({ id }) => id === step.who)!
  const { status, text } = await person.act(step.path, form)
  return { isOk: status < 400, text }
}

/**
 * Returns whether the encoded response contains a text of at least three words, which is the reason
 * of a refusal.
 */
const givesReason = (text: string): boolean =>
  (JSON.parse(text) as unknown[]).some(
    (part) => typeof part === 'string' && part.split(' ').length >= 3,
  )

const shown = ({ orders, offers, sales, pieces, credits, hold }: Model) => ({
  orders: Object.fromEntries(
    [...orders].map(([id, { isClosed, lines }]) => [
      id,
      [
        isClosed,
        ...lines.map(({ itemId, agreedCents, quantity, offer, sale }) => [
          itemId,
          agreedCents,
          quantity,
          offer,
          sale?.id ?? null,
        ]),
      ],
    ]),
  ),
  offers: Object.fromEntries(offers.map(({ id, state }) => [id, state])),
  sales: Object.fromEntries(
    sales.flatMap(({ id, cents, isUndone }) => (isUndone ? [] : [[id, cents]])),
  ),
  pieces: Object.fromEntries(pieces.map(({ offer, line, step }) => [`${offer}-${line}`, step])),
  payments: Object.fromEntries(
    offers.flatMap(({ id, payments }) =>
      payments.map((one, at) => [
        `${id}-${at + 1}-${one.kind}-${dayBefore((one.day + 1) * DAY)}`,
        one.cents,
      ]),
    ),
  ),
  credits: Object.fromEntries(credits.map(({ code, offer }) => [code, offer])),
  holds: hold ? [[UNIQUE, hold.who, hold.offer, hold.until]] : [],
})
const stored = ({
  orders,
  orderItems,
  offers,
  sales,
  queueEntries,
  payments,
  credits,
  holds,
}: Rows): ReturnType<typeof shown> => ({
  orders: Object.fromEntries(
    orders.map(({ id, isClosed }) => {
      const lines = orderItems
        .filter(({ orderId }) => orderId === id)
        .toSorted((a, b) => a.position - b.position)
      return [
        id,
        [
          // JSON contains the stored 0 or 1.
          Boolean(isClosed),
          ...lines.map(
            (line) =>
              [line.itemId, line.agreedCents, line.quantity, line.offerId, line.saleId] as never,
          ),
        ],
      ]
    }),
  ),
  offers: Object.fromEntries(offers.map(({ id, state }) => [id, state])),
  sales: Object.fromEntries(sales.map(({ id, salePriceCents }) => [id, salePriceCents])),
  pieces: Object.fromEntries(
    queueEntries.map(({ offerId, line, step }) => [`${offerId}-${line}`, step]),
  ),
  payments: Object.fromEntries(
    payments.map((one) => [`${one.offerId}-${one.position}-${one.kind}-${one.paidOn}`, one.cents]),
  ),
  credits: Object.fromEntries(credits.map(({ code, offerId }) => [code, offerId])),
  holds: holds.map(({ itemId, orderId, offerId, until }) => [itemId, orderId, offerId, until]),
})

/**
 * Checks the rules that always hold. `accepted` contains the lines of the accepted offers at the
 * time of their acceptance.
 */
function expectRules(
  { offers, offerLines, orderItems, credits, sales, items }: Rows,
  accepted: Map<string, string>,
): void {
  const open = offers
    .filter(({ state }) => (OPEN_STATES as readonly OfferState[]).includes(state))
    .map(({ orderId }) => orderId)
  expect(open, 'a conversation has two open offers').toEqual([...new Set(open)])
  for (const { id, state, shippingCents, creditCents } of offers) {
    const lines = offerLines.filter(({ offerId }) => offerId === id)
    const agreed = JSON.stringify([shippingCents, creditCents, lines])
    if (state === 'accepted' && !accepted.has(id)) accepted.set(id, agreed)
    expect(accepted.get(id) ?? agreed, 'an accepted price has changed').toBe(agreed)
  }
  const prices = new Map(
    offers.flatMap(({ id, creditCents }) => {
      const lines = offerLines
        .filter(({ offerId }) => offerId === id)
        .map((line) => ({ ...line, cents: line.priceCents }))
      const agreed = agreedPrices(lines, creditCents)
      return lines.map(({ itemId, position }, at) => [
        `${id} ${itemId || `offer-${id}-${position}`}`,
        agreed[at],
      ])
    }),
  )
  for (const { offerId, itemId, agreedCents } of orderItems) {
    if (offerId !== null) {
      expect(agreedCents, 'the order does not have the price of the offer').toBe(
        prices.get(`${offerId} ${itemId}`),
      )
    }
  }
  const redeemed = offers.flatMap(({ id, state, creditCode }) =>
    state === 'accepted' && creditCode ? [[creditCode, id]] : [],
  )
  const used = credits.flatMap(({ code, offerId }) => (offerId === null ? [] : [[code, offerId]]))
  const sold = sales.filter(({ itemId }) => itemId === UNIQUE)
  expect(sold.length, 'a one-of-a-kind piece was sold twice').toBe(
    items.find(({ id }) => id === UNIQUE)!.state === 'sold' ? 1 : 0,
  )
  expect(redeemed.toSorted(), 'a credit was used twice').toEqual(used.toSorted())
}

type Sequence = { at: number; sequence: Act[]; together: Act[] }

/**
 * Runs a sequence of actions one by one. Then runs some actions concurrently, after which only the
 * rules that always hold are checked.
 */
async function run(
  world: World,
  prepared: readonly Rows[],
  { at, sequence, together }: Sequence,
): Promise<void> {
  await reset(world, prepared[at])
  const model = modelAfter(world, beginnings[at]!)
  const accepted = new Map<string, string>()
  let before = await readRows(world)
  for (const act of sequence) {
    const step = acts[act.act](model, act)
    world.clock.now = model.now
    const { isOk, text } = await perform(world, step)
    const after = await readRows(world)
    const what = JSON.stringify(step)
    expect(isOk, `${what} ${text}`).toBe('job' in step || step.isOk)
    if (!isOk) {
      expect(givesReason(text), `${what} gives no reason: ${text}`).toBe(true)
      expect(after, `${what} was refused, but changed the shop`).toEqual(before)
    }
    const unknown = model.sales.find(({ id }) => id === '')
    if (unknown) {
      unknown.id = after.sales.find(({ id }) => model.sales.every((sale) => sale.id !== id))!.id
    }
    expect(stored(after), what).toEqual(shown(model))
    expectRules(after, accepted)
    before = after
  }
  const steps = together.map((act) => acts[act.act](structuredClone(model), act))
  const answers = await Promise.all(steps.map((step) => perform(world, step)))
  for (const { isOk, text } of answers) {
    expect(isOk || givesReason(text), `${JSON.stringify(steps)} gives no reason: ${text}`).toBe(
      true,
    )
  }
  expectRules(await readRows(world), accepted)
  expect(errorsOf(world)).toEqual([])
}

test('after any sequence of actions, the shop matches a simple model [AGREE-81]', async () => {
  const world = await openPeople()
  const prepared: Rows[] = []
  for (const beginning of beginnings) prepared.push(await prepare(world, beginning))
  const sequences: fc.Arbitrary<Sequence> = fc.record({
    at: fc.constantFrom(0, 1, 2, 2),
    sequence: fc.array(anAct, { minLength: 2, maxLength: 10 }),
    together: fc.array(anAct, { minLength: 2, maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(sequences, (sequence) => run(world, prepared, sequence)),
    { numRuns: SEQUENCES, seed, ...(process.env.FUZZ_PATH && { path: process.env.FUZZ_PATH }) },
  )
})
