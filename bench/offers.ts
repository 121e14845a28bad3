/**
 * Measures the time until the owner sees that an offer was accepted, compared with a message, and
 * how much holds slow down the gallery.
 */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { UNSAFE_decodeViaTurboStream as decode } from 'react-router'
import { newId15 } from '#lib/text/ids.ts'
import { dayAndTime } from '#ui/format-date.ts'
import type { Db } from '#db/schema.ts'
import type { Bench, Found } from './areas.ts'
import { atMost, below } from './checks.ts'
import { FEW } from './growth-data.ts'
import { openFilledShop } from './growth.ts'
import { startWriters, type Writer } from './message-load.ts'
import { close, connect, edges, openCrowd, post, sendToSeen } from './messages.ts'
import { ms, percentile, stamp, table, times, formatInteger } from './report.ts'
import { OWNER, serveShop } from './served-shop.ts'

const CUSTOMERS = 20
const OFFERS = 200
const CONNECTIONS = 100
const ITEMS = 10_000
const HOLDS = 1000
const ROUNDS = 15

export async function measureOffers({ folder, say }: Bench): Promise<Found> {
  const { accepted, message } = await measureAccepting(join(folder, 'accepting'), say)
  const gallery = await measureGallery(folder, say)
  const text = `## Offers

The owner sees an accepted offer when her page has loaded its data and shows the offer as accepted; ${CONNECTIONS} connections are open. Both galleries have ${formatInteger(ITEMS)} one-of-a-kind items, and the measured customer is logged in, so that no page comes from the cache. ${stamp('offers')}

${table(
  ['what', 'found', 'reference', 'ratio'],
  [
    [
      'An offer, from the click on "Accept offer" until the owner sees it',
      edges(accepted),
      `a message in the same run: ${edges(message)}`,
      times(percentile(accepted, 0.5), percentile(message, 0.5)),
    ],
    ...gallery.map(({ name, held, free }) => [
      `${name}, with ${formatInteger(HOLDS)} holds`,
      `${ms(held)} ms`,
      `without holds: ${ms(free)} ms`,
      times(held, free),
    ]),
  ],
)}`
  const ratios = gallery.map(({ name, held, free }) => ({ name, value: held / free }))
  return {
    text,
    checks: [
      below('An accepted offer, until the owner sees it: p99', 40, ' ms', [
        { name: `${CONNECTIONS} open`, value: percentile(accepted, 0.99) },
      ]),
      atMost(
        `The gallery with ${formatInteger(HOLDS)} holds, compared with none`,
        1.2,
        ' x',
        ratios,
      ),
    ],
  }
}

async function measureAccepting(dataDir: string, say: Bench['say']) {
  await mkdir(dataDir, { recursive: true })
  const shop = await serveShop(dataDir)
  try {
    const { origin } = shop
    const { owner, customers } = await startWriters(origin, dataDir, OWNER, CUSTOMERS)
    for (const customer of customers) await post(origin, customer, customer.id)
    // The owner's own connection is opened later, so the crowd has one connection less.
    const idle = await openCrowd(CONNECTIONS - 1, (at) =>
      connect(origin, at % 2 ? customers[at % CUSTOMERS] : undefined, at),
    )
    say('messages, from sending to seen')
    const message = await sendToSeen(origin, owner, customers)
    say('offers, from accepted to seen')
    const accepted = await acceptToSeen(origin, owner, customers)
    close(idle)
    return { accepted, message }
  } finally {
    await shop.stop()
  }
}

/**
 * Returns the milliseconds from the acceptance of an offer until the owner's page has loaded data
 * in which the offer is accepted.
 */
async function acceptToSeen(origin: string, owner: Writer, customers: Writer[]): Promise<number[]> {
  const socket = connect(origin, owner, 0)
  await once(socket, 'open')
  await once(socket, 'message')
  const took: number[] = []
  for (let number = 0; number < OFFERS; number++) {
    const customer = customers[number % customers.length]!
    const offerId = newId15()
    const sent = once(socket, 'message')
    await postForm(origin, owner, `/manage/offer/${customer.id}`, offerForm(offerId))
    await sent
    const begun = performance.now()
    const signal = once(socket, 'message')
    const answered = postForm(origin, customer, '/offer', { intent: 'accept', offerId })
    await signal
    const page = await fetch(`${origin}/manage/messages/${customer.id}.data`, {
      headers: { cookie: owner.cookie },
    })
    const body = new Uint8Array(await page.arrayBuffer())
    took.push(performance.now() - begun)
    if ((await stateIn(body, offerId)) !== 'accepted') {
      throw new Error('the signal came before the acceptance')
    }
    await answered
  }
  socket.terminate()
  return took
}

function offerForm(id: string): Record<string, string> {
  const [validUntil] = dayAndTime(Date.now() + 86_400_000, 'UTC')
  const line = { itemId: '', name: 'Engraved tag', price: '5', quantity: '1', color: '', notes: '' }
  return { id, ...line, shipping: '', readyBy: '', validUntil, message: '' }
}

async function postForm(
  origin: string,
  { cookie, address }: Writer,
  path: string,
  form: Record<string, string>,
): Promise<void> {
  const headers = { origin, cookie, 'x-forwarded-for': address }
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
    redirect: 'manual',
  })
  await response.arrayBuffer()
  if (response.status >= 400) throw new Error(`${path} was answered with ${response.status}`)
}

type Shown = { offer?: { id: string; state: string } }
/** Returns the state of the offer in the data of the conversation page. */
async function stateIn(
  body: Uint8Array<ArrayBuffer>,
  offerId: string,
): Promise<string | undefined> {
  const { value } = await decode(new Blob([body]).stream(), globalThis)
  const routes = Object.values(
    value as Record<string, { data?: { conversation?: { messages: Shown[] } } }>,
  )
  const messages = routes.flatMap(({ data }) => data?.conversation?.messages ?? [])
  return messages.find(({ offer }) => offer?.id === offerId)?.offer?.state
}

const galleries = {
  Gallery: '/gallery/',
  'Gallery, available': '/gallery/?available=on',
  'Gallery, page 3': '/gallery/?page=3',
}

/** Returns the processor time in milliseconds of each gallery page, with and without holds. */
async function measureGallery(folder: string, say: Bench['say']) {
  say(`the gallery with ${formatInteger(ITEMS)} items and ${formatInteger(HOLDS)} holds`)
  const size = { ...FEW, items: ITEMS }
  const free = await openFilledShop(join(folder, 'free'), size, '', makeUnique)
  const held = await openFilledShop(join(folder, 'held'), size, '', async (db) => {
    await makeUnique(db)
    await sql`insert into holds ("itemId", "orderId", until, "createdAt")
      select id, 'u1', 4000000000000, 1 from items order by "createdAt" desc limit ${sql.lit(HOLDS)}`.execute(
      db,
    )
  })
  try {
    const rows: { name: string; held: number; free: number }[] = []
    for (const [name, path] of Object.entries(galleries)) {
      const took = { held: [] as number[], free: [] as number[] }
      // Requests alternate between the two shops, so that other work on the machine affects both.
      // Negative rounds are a warm-up.
      for (let round = -4; round < ROUNDS; round++) {
        for (const [which, shop] of [
          ['held', held],
          ['free', free],
        ] as const) {
          const time = await shop.ask({ who: 'customer', name, path }, 1)
          if (round >= 0) took[which].push(time)
        }
      }
      rows.push({ name, held: percentile(took.held, 0.3), free: percentile(took.free, 0.3) })
    }
    return rows
  } finally {
    await free.stop()
    await held.stop()
  }
}

const makeUnique = async (db: Db) =>
  void (await db.updateTable('items').set({ kind: 'unique' }).execute())
