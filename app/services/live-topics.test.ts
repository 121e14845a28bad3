import { createServer } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase, onPostgres } from '#test/fixtures/database.ts'
import { topicRules } from './live-topics.server.ts'
import {
  CHANNEL,
  createPostgresChangeBus,
  publishEverything,
} from '#lib/realtime/postgres-change-bus.server.ts'

async function openDatabase() {
  const { db, url, close } = await openTestDatabase()
  const ends = [close]
  onTestFinished(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return {
    db,
    url: url!,
    open(fingerprint = 'same', listenUrl = url!, echoTimeoutMs = 5000) {
      const errors: string[] = []
      const log = { info: () => {}, error: (message: string) => void errors.push(message) }
      const bus = createPostgresChangeBus({
        db,
        url: listenUrl,
        fingerprint,
        topics: topicRules,
        log,
        echoTimeoutMs,
      })
      ends.push(bus.close)
      const [changes, news, ended]: [string[], string[], string[]] = [[], [], []]
      bus.onChange((topics) => void changes.push(...topics))
      bus.onNews((topics) => void news.push(...topics))
      bus.onSessionEnd((id, isOurs) => void ended.push(`${id} ${isOurs}`))
      return { ...bus, errors, changes, news, ended }
    },
    async connect() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      ends.push(() => client.end())
      return client
    },
  }
}

onPostgres(
  'notifies each process of the changes of the other processes, and all processes have the same data version [S-260]',
  async () => {
    const database = await openDatabase()
    const one = database.open()
    expect(await one.start()).toBe(true)
    const two = database.open()
    expect(await two.start()).toBe(true)
    await expect.poll(() => one.version(null)).toBe(two.version(null))
    expect(one.news.filter((topic) => topic === 'sales')).toHaveLength(2)
    const [before, ofPublic] = [one.version('ann'), one.version(null)]
    one.changes.length = one.news.length = two.news.length = 0

    one.changed('orders', 'order:ann')
    // The process that publishes a change clears its caches immediately, but notifies its browsers
    // only after PostgreSQL has returned the notification.
    expect(one.changes).toEqual(['orders', 'order:ann'])
    expect(one.news).toEqual([])
    expect(one.version('ann')).not.toBe(before)
    await expect
      .poll(() => [one.news, two.news])
      .toEqual([
        ['orders', 'order:ann'],
        ['orders', 'order:ann'],
      ])
    await expect.poll(() => one.version('ann')).toBe(two.version('ann'))
    expect(one.version(null)).toEqual(ofPublic)
    expect(two.version(null)).toEqual(ofPublic)

    two.sessionEnded('s1')
    await expect.poll(() => one.ended).toEqual(['s1 false'])
    expect(two.ended[0]).toBe('s1 true')
    one.news.length = 0
    // One notification cannot contain so many topics, so it reports a change of all global topics.
    one.changed(...Array.from({ length: 500 }, (_, at) => `order:${at}-${'x'.repeat(20)}` as const))
    await expect.poll(() => one.news).toEqual(topicRules.global)
    one.news.length = 0
    await publishEverything(database.db)
    await expect.poll(() => one.news).toEqual(topicRules.global)
  },
)

onPostgres(
  'uses no cache while notifications may be lost, and treats all data as changed after the reconnect [S-260]',
  async () => {
    const database = await openDatabase()
    const one = database.open()
    await one.start()
    const client = await database.connect()
    one.news.length = 0
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'knots-and-love live%' and datname = current_database()`,
    )
    await expect.poll(() => one.isInSync()).toBe(false)
    one.changed('catalog')
    expect(one.news[0]).toBe('catalog')
    await expect.poll(() => one.isInSync()).toBe(true)
    expect(one.news).toEqual(expect.arrayContaining([...topicRules.global]))
    expect(one.errors).toEqual([
      'the changes of other processes are not heard; nothing is cached until they are',
    ])
  },
)

onPostgres(
  'forged messages on the notification channel end no session and do not fill the log',
  async () => {
    const database = await openDatabase()
    const live = database.open()
    const stranger = await database.connect()
    expect(await live.start()).toBe(true)
    const said = [
      '',
      '{',
      'null',
      '{}',
      '7',
      '[]',
      '[null]',
      '["hello"]',
      '["hello",1,2]',
      '["hello","a"]',
      '["here"]',
      '["1",{"a":1}]',
    ]
    const long = [
      '["9",null,"catalog"]',
      JSON.stringify(['hello', 'x'.repeat(7900), 'y']),
      JSON.stringify(['8', 'y'.repeat(7900)]),
    ]
    live.news.length = 0
    for (const payload of [...said, ...long, ...said]) {
      await stranger.query('select pg_notify($1, $2)', [CHANNEL, payload])
    }
    await stranger.query('select pg_notify($1, $2)', [CHANNEL, '["10","catalog"]'])
    await expect.poll(() => live.news).toEqual(['catalog'])
    expect(live.ended).toEqual([])
    expect(live.isInSync()).toBe(true)
    expect(live.errors).toEqual(['another program uses the notification channel'])
  },
)

test('starts even if the database does not respond, and logs the problem only once', async () => {
  let tries = 0
  const away = createServer((line) => {
    tries += 1
    line.destroy()
  })
  await new Promise<void>((done) => away.listen(0, '127.0.0.1', done))
  onTestFinished(() => void away.close())
  const { port } = away.address() as { port: number }
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  const errors: string[] = []
  const log = { info: () => {}, error: (message: string) => void errors.push(message) }
  const bus = createPostgresChangeBus({
    db,
    url: `postgres://shop@127.0.0.1:${port}/shop`,
    fingerprint: 'f',
    topics: topicRules,
    log,
  })
  expect(await bus.start()).toBe(true)
  await expect.poll(() => tries).toBeGreaterThan(2)
  expect(bus.isInSync()).toBe(false)
  expect(errors.length).toBe(1)
  await bus.close()
})
