/**
 * Sends random input to every URL, every form and the live connection (decision 048).
 *
 * @module-tag random
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createWebSocketServer } from '#server/realtime/websocket-server.ts'
import {
  accessTable,
  dataOf,
  openRoleShop,
  type Role,
  roles,
  type RoleShop,
  walkedRoutes,
} from '#test/fixtures/access.ts'
import {
  bodyOf,
  errorsOf,
  expectCalm,
  expectConsistent,
  harvest,
  queryOf,
  segmentOf,
  type Fuzz,
} from '#test/fixtures/fuzz.ts'
import { listen } from '#test/fixtures/network.ts'
import type { OnCleanup } from '#test/fixtures/processes.ts'
import { openTestShop, ORIGIN } from '#test/fixtures/test-shop.ts'
import { isFull, sized } from '#test/fixtures/size.ts'

const patience = isFull ? 3_600_000 : 300_000
vi.setConfig({ testTimeout: patience, hookTimeout: patience })

/**
 * The number of inputs. On PostgreSQL, tests send fewer inputs, because each input takes twice as
 * long and only the queries differ.
 */
const INPUTS = Number(
  process.env.FUZZ_INPUTS ?? (process.env.TEST_DATABASE === 'postgres' ? 10 : sized(25, 1000)),
)
/**
 * The seed of the random inputs changes each day. A failure prints the seed, and FUZZ_SEED repeats
 * the inputs.
 */
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Date.now() / 86_400_000))

/**
 * The names and values of the fields of all forms. The tests read these once, because every test
 * shop has the same forms.
 */
let named: ReturnType<typeof harvest> | undefined

/**
 * Opens a shop with data of every role, and reads the ids and field names on its pages. Tests that
 * share a shop pass `onCleanup`.
 */
async function openFuzz(onCleanup?: OnCleanup) {
  const world = await openRoleShop(onCleanup)
  named ??= harvestOf(world)
  const { fields, values } = await named
  return {
    world,
    fuzz: {
      ids: ['moon', 'walls', 'ticket', world.of.ann, world.of.image, ...values],
      fields,
    } satisfies Fuzz,
  }
}

function harvestOf({ shop, people: { guest, ann, owner } }: RoleShop) {
  const paths = walkedRoutes
    .filter(({ hasPage, path }) => hasPage && !/[:*]/.test(path))
    .map(({ path }) => path)
  return harvest(
    [shop.visitor(), guest, ann, owner],
    ['/item/moon', '/manage/item/moon', '/gallery/', '/?messages', ...paths],
  )
}

/** Generates URLs of a route whose parameters have odd values or values of existing records. */
const addressOf = (
  fuzz: Fuzz,
  path: string,
  at: string | undefined,
  of: { ann: string; image: string },
) => {
  const real = (at ?? path).replace('{ann}', of.ann).replace('{picture}', of.image)
  if (!/[:*]/.test(path)) return fc.constant(real)
  const odd = segmentOf(fuzz).map((segment) =>
    path.replace(/:\w+\??/g, segment).replace(/\*$/, segment),
  )
  return fc.oneof(fc.constant(real), odd)
}

/**
 * All GET tests share this shop, because a GET changes nothing, as access-matrix.test.ts verifies.
 */
let looked: Awaited<ReturnType<typeof openFuzz>>
const ends: (() => unknown)[] = []
beforeAll(async () => void (looked = await openFuzz((end) => void ends.unshift(end))))
afterAll(async () => {
  for (const end of ends) await end()
})

test.for(walkedRoutes)('no GET of $path causes an error', async ({ id, path, hasPage }) => {
  const { world, fuzz } = looked
  // Empties the log after the test, because all GET tests share this shop.
  onTestFinished(() => void world.shop.logged.splice(0))
  const address = addressOf(fuzz, path, accessTable[id]?.at, world.of)
  const tenth = fc.integer({ min: 0, max: 9 })
  const look = fc.record({
    role: fc.constantFrom<Role>(...roles),
    address,
    query: queryOf(fuzz),
    tenth,
  })
  await fc.assert(
    fc.asyncProperty(look, async ({ role, address, query, tenth }) => {
      // In nine of ten cases, requests only the data of a page, because rendering a page takes much
      // longer.
      const wanted =
        hasPage && tenth > 0
          ? `${dataOf(address)}${query}&_routes=${encodeURIComponent(id)}`
          : address + query
      await expectCalm(() => world.people[role].get(wanted), `${role} GET ${wanted}`)
    }),
    { numRuns: INPUTS, seed, endOnFailure: true },
  )
  await expectConsistent(world)
})

test.for(walkedRoutes.filter(({ hasAction }) => hasAction))(
  'no POST to $path causes an error',
  async ({ id, path }) => {
    const { world, fuzz } = await openFuzz()
    const { at, form = {} } = accessTable[id]!
    const fields = [...new Set([...Object.keys(form), 'intent', 'confirm', 'id', ...fuzz.fields])]
    const own = {
      ids: [...fuzz.ids, ...Object.values(form).map((text) => text.replace('{ann}', world.of.ann))],
      fields,
    }
    const sent = fc.record({
      role: fc.constantFrom<Role>(...roles),
      address: addressOf(own, path, at, world.of),
      body: bodyOf(own),
    })
    await fc.assert(
      fc.asyncProperty(sent, async ({ role, address, body: { body, type } }) => {
        const headers: Record<string, string> = {
          origin: ORIGIN,
          ...(type && { 'content-type': type }),
        }
        const post = () =>
          world.people[role].send(dataOf(address), { method: 'POST', body, headers })
        await expectCalm(post, `${role} POST ${address} ${asWords(body)}`)
      }),
      { numRuns: INPUTS, seed, endOnFailure: true },
    )
    await expectConsistent(world)
  },
)

const asWords = (body: string | FormData | Uint8Array) =>
  body instanceof FormData ? JSON.stringify([...body.keys()]) : String(body).slice(0, 500)

test('the shop closes the live connection of a client that sends any data', async () => {
  const shop = await openTestShop()
  const server = createServer()
  const live = createWebSocketServer(server, shop.shop, {
    heartbeatMs: 3_600_000,
    perAddress: 100_000,
  })
  const port = await listen(server)
  onTestFinished(() => live.close())
  const hello = `GET /live HTTP/1.1\r\nHost: shop.test\r\nOrigin: ${ORIGIN}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`
  const said = fc.oneof(
    fc.uint8Array({ minLength: 2, maxLength: 300 }),
    // Generates WebSocket frames of every kind. The length in a frame may be wrong.
    fc
      .tuple(
        fc.integer({ min: 0, max: 255 }),
        fc.integer({ min: 0, max: 127 }),
        fc.uint8Array({ maxLength: 125 }),
      )
      .map(([kind, length, text]) => Uint8Array.from([kind, 128 | length, 0, 0, 0, 0, ...text])),
  )
  await fc.assert(
    fc.asyncProperty(said, async (bytes) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      const gone = new Promise((done) => socket.once('close', done))
      socket.write(hello)
      await once(socket, 'data')
      socket.resume()
      socket.end(bytes)
      await gone
    }),
    { numRuns: sized(200, 10_000), seed },
  )
  await expect.poll(live.count).toBe(0)
  expect(errorsOf(shop)).toEqual([])
})
