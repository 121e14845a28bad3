/** Attacks on what processes tell each other through PostgreSQL (043): NOTIFY needs no right but to connect to the database. */
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { CHANNEL } from '#db/migrations/030-signals.ts'
import { openSharedLive } from '#app/platform/shared-live.server.ts'
import { openTestDatabase } from './test-database.ts'

const onPostgres = process.env.TEST_DATABASE === 'postgres' ? test : () => {}

onPostgres('043 nothing that a stranger says on the channel stops a process, ends what is no session, or fills the log', async () => {
  const { db, url, close } = await openTestDatabase()
  const errors: string[] = []
  const log = { info: () => {}, error: (message: string) => void errors.push(message) }
  const live = openSharedLive({ db, url: url!, mark: 'same', log })
  const stranger = new pg.Client({ connectionString: url })
  await stranger.connect()
  onTestFinished(async () => {
    await stranger.end()
    await live.close()
    await close()
  })
  expect(await live.start()).toBe('same')
  const heard: string[] = []
  live.onNews((topics) => void heard.push(...topics))
  live.onSessionEnd((id) => void heard.push(`end:${id}`))
  const said = ['', '{', 'null', '{}', '7', '[]', '[null]', '["hello"]', '["hello",1,2]', '["hello","a"]', '["here"]', '["1",{"a":1}]']
  const long = ['["9",null,"catalogue"]', JSON.stringify(['hello', 'x'.repeat(7900), 'y']), JSON.stringify(['8', 'y'.repeat(7900)])]
  for (const payload of [...said, ...long, ...said]) await stranger.query('select pg_notify($1, $2)', [CHANNEL, payload])
  await stranger.query('select pg_notify($1, $2)', [CHANNEL, '["10","catalogue"]'])
  await expect.poll(() => heard).toEqual(['catalogue'])
  expect(live.isHearing()).toBe(true)
  expect(errors).toEqual(['somebody else speaks on the channel of the shop'])
})
