import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Tables } from '#db/tables.ts'
import type { openListening } from './listening.server.ts'
import { openSharedLive } from './shared-live.server.ts'

/** A connection that opens, and on which nothing is ever heard. */
const deaf: typeof openListening = (_url, _channel, _log, { onOpen }) => {
  setTimeout(onOpen, 1)
  return { isAlive: () => true, countOthers: async () => 0, close: async () => {} }
}

const silent = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

test('043 a listening address behind a pooler is told once, not every five seconds for as long as the shop is open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const told: string[] = []
  const log = { info: () => {}, error: (message: string) => void told.push(message) }
  const live = openSharedLive({ db: silent, url: 'postgres://nowhere/shop', mark: 'mark', log, listen: deaf })
  const begun = live.start()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await begun).toBe('deaf')
  expect(live.isHearing()).toBe(false)
  expect(told).toEqual(['what DATABASE_URL tells is not heard'])
  await live.close()
})
