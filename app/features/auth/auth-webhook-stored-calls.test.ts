/** Tests how calls of the auth webhook are stored, and sent again in their sequence. */
import { jwtVerify } from 'jose'
import type { KyselyPlugin } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openEndpoint } from '#test/fixtures/network.ts'
import { NOON, openTestShop } from '#test/fixtures/test-shop.ts'
import { createAuthWebhook } from '#services/auth-webhook.server.ts'
import { createLive } from '#services/live-topics.server.ts'

const secret = 'a-secret-of-at-least-32-characters'

/** Opens a webhook as a process does. `more` replaces its options. */
async function openWebhook(
  url: string,
  more: Partial<Parameters<typeof createAuthWebhook>[0]> = {},
) {
  const log = { info() {}, error: vi.fn<(message: string, error: unknown) => void>() }
  const db = more.db ?? (await openTestShop()).db
  const options = {
    db,
    live: createLive(),
    target: { url, secret },
    issuer: null,
    now: () => NOON,
    log,
    ...more,
  }
  return { sync: createAuthWebhook(options), db, log }
}

test('the shop repeats a failed call of the auth webhook after one second by default [LOGIN-25]', async () => {
  const service = await openEndpoint()
  const answers = [503, 204]
  service.manner = (_request, response) => void response.writeHead(answers.shift()!).end()
  const { sync, log } = await openWebhook(service.url)
  await sync.signedIn({ id: 'ann', sessionId: 'one', role: 'customer' })
  await expect.poll(() => service.arrived).toHaveLength(2)
  expect(log.error).toHaveBeenCalledTimes(1)
  await sync.close()
})

test('a webhook call that one process has stored but not sent is sent once by another process, after the lease has ended [S-352]', async () => {
  const service = await openEndpoint()
  const gone = await openEndpoint()
  await gone.close()
  const first = await openWebhook(gone.url, { timeouts: { retryDelaysMs: [], closeMs: 1 } })
  await first.sync.signedIn({ id: 'ann', sessionId: 'one', role: 'customer' })
  await first.sync.signedIn({ id: 'bea', sessionId: 'two', role: 'customer' })
  await expect.poll(() => first.log.error.mock.calls).toHaveLength(2)
  await first.sync.close()
  const stored = () => first.db.selectFrom('webhookCalls').select('about').execute()
  expect(await stored()).toHaveLength(2)

  const clock = { now: NOON + 60_000 }
  const [second, third] = [0, 1].map(
    async () => (await openWebhook(service.url, { db: first.db, now: () => clock.now })).sync,
  )
  const both = await Promise.all([second!, third!])
  for (const sync of both) await sync.sendDue()
  expect(await stored()).toHaveLength(2)
  clock.now = NOON + 5 * 60_000
  await Promise.all(both.map((sync) => sync.sendDue()))
  await expect.poll(stored).toEqual([])
  for (const sync of both) await sync.close()
  const claims = await Promise.all(
    service.arrived.map((call) =>
      jwtVerify(call.token, new TextEncoder().encode(secret), { currentDate: new Date(clock.now) }),
    ),
  )
  expect(claims.map(({ payload }) => payload.sub).toSorted()).toEqual(['ann', 'bea'])
})

test('a webhook call that has failed for a day is deleted [S-352]', async () => {
  const service = await openEndpoint()
  service.manner = (_request, response) => void response.writeHead(503).end()
  const clock = { now: NOON }
  const { sync, db } = await openWebhook(service.url, {
    now: () => clock.now,
    timeouts: { retryDelaysMs: [] },
  })
  await sync.signedIn({ id: 'ann', sessionId: 'one', role: 'customer' })
  await expect.poll(() => service.arrived).toHaveLength(1)
  clock.now += 24 * 60 * 60_000
  await sync.sendDue()
  await expect.poll(() => service.arrived).toHaveLength(2)
  clock.now += 1
  await sync.sendDue()
  expect(await db.selectFrom('webhookCalls').select('id').execute()).toEqual([])
  await sync.close()
})

test('the shop also reports a logout that happens while the shop is sending the login of the same session [LOGIN-26]', async () => {
  const service = await openEndpoint()
  const { db } = await openTestShop()
  const methods = async () =>
    (await db.selectFrom('webhookCalls').select('method').execute()).map(({ method }) => method)
  service.manner = (request, response) => {
    const isReady =
      request.method === 'POST' ? expect.poll(methods).toHaveLength(2) : Promise.resolve()
    void isReady.then(() => response.writeHead(204).end())
  }
  const live = createLive()
  const { sync } = await openWebhook(service.url, {
    live,
    db: db.withPlugin(delayWhile(async () => (await methods()).length === 2)),
  })
  await sync.signedIn({ id: 'ann', sessionId: 'one', role: 'customer' })
  live.sessionEnded('one')

  await expect.poll(() => service.arrived.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  await sync.close()
  expect(await methods()).toEqual([])
})

/** Delays the result of each insert while `isEarly` returns true. */
const delayWhile = (isEarly: () => Promise<boolean>): KyselyPlugin => {
  const inserts = new WeakSet<object>()
  return {
    transformQuery({ node, queryId }) {
      if (node.kind === 'InsertQueryNode') inserts.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (inserts.has(queryId)) await expect.poll(isEarly).toBe(false)
      return result
    },
  }
}

test('a logout waits for all earlier calls about the same session that failed [S-352]', async () => {
  const service = await openEndpoint()
  service.manner = (_request, response) => void response.writeHead(503).end()
  const clock = { now: NOON }
  const first = await openWebhook(service.url, {
    now: () => clock.now,
    timeouts: { retryDelaysMs: [] },
  })
  for (const role of ['guest', 'customer']) {
    await first.sync.signedIn({ id: 'ann', sessionId: 'one', role })
    clock.now += 1
  }
  await expect.poll(() => first.log.error.mock.calls.length).toBe(1)
  await first.sync.close()

  const live = createLive()
  service.manner = (_request, response) => void response.writeHead(204).end()
  const { sync } = await openWebhook(service.url, { db: first.db, live, now: () => clock.now })
  clock.now += 5 * 60_000
  live.sessionEnded('one')
  await expect
    .poll(() => service.arrived.map(({ method }) => method))
    .toEqual(['POST', 'POST', 'POST', 'DELETE'])
  await sync.close()
})

test('a logout waits while the failed login of the same session is sent again [S-352]', async () => {
  const service = await openEndpoint()
  service.manner = (_request, response) => void response.writeHead(503).end()
  const clock = { now: NOON }
  const live = createLive()
  const { sync, log, db } = await openWebhook(service.url, {
    live,
    now: () => clock.now,
    timeouts: { retryDelaysMs: [] },
  })
  const stored = () => db.selectFrom('webhookCalls').select('method').execute()
  const failures = (count: number) => expect.poll(() => log.error.mock.calls.length).toBe(count)
  const sendAt = async (minutes: number) => {
    clock.now = NOON + minutes * 60_000
    await sync.sendDue()
  }
  await sync.signedIn({ id: 'ann', sessionId: 'one', role: 'customer' })
  await failures(1)
  clock.now = NOON + 2 * 60_000
  live.sessionEnded('one')
  await expect.poll(stored).toHaveLength(2)
  await sendAt(5)
  await failures(2)
  service.manner = (_request, response) => void response.writeHead(204).end()
  await sendAt(7)
  expect(await stored()).toHaveLength(2)
  await sendAt(10)
  await expect
    .poll(() => service.arrived.map(({ method }) => method))
    .toEqual(['POST', 'POST', 'POST', 'DELETE'])
  await sync.close()
})
