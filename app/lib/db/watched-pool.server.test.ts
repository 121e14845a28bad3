import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { openCutLine } from '#test/fixtures/network.ts'
import { createDatabase, dropDatabase, onPostgres } from '#test/fixtures/database.ts'
import { isOutage } from '../telemetry/outages.server.ts'
import { openWatchedPool } from './watched-pool.server.ts'

async function openLine() {
  const name = `stalled_${randomBytes(6).toString('hex')}`
  const line = openCutLine()
  const url = await line.proxy(await createDatabase(name))
  onTestFinished(() => dropDatabase(name))
  return { line, url }
}

onPostgres(
  'treats a hanging PostgreSQL server as an outage, even during a query, and recovers when the server responds again [S-262]',
  async () => {
    const { line, url } = await openLine()
    const pool = openWatchedPool({ connectionString: url, max: 2 }, { before: 50, for: 300 })
    onTestFinished(() => pool.end())
    await pool.query('create table entries (id integer)')
    const client = await pool.connect()
    await client.query('begin')
    line.isSilent = true
    const inTransaction = client
      .query('insert into entries values (1)')
      .catch((error: unknown) => error)
    const alone = pool.query('insert into entries values (2)').catch((error: unknown) => error)
    for (const failure of [await inTransaction, await alone]) expect(isOutage(failure)).toBe(true)
    client.release()

    line.isSilent = false
    const query = () =>
      pool.query('select id from entries').then(
        ({ rows }) => rows as unknown[],
        () => 'broken',
      )
    await expect.poll(query).toEqual([])
  },
)

onPostgres(
  'waits for a slow query while the server still responds to new connections [S-262]',
  async () => {
    const { url } = await openLine()
    let asked = 0
    const pool = openWatchedPool({ connectionString: url, max: 1 }, { before: 20, for: 20_000 })
    onTestFinished(() => pool.end())
    const watcher = new pg.Pool({ connectionString: url, max: 1 })
    // The listener ignores errors, because the test's database may be dropped before the connection
    // closes.
    watcher.on('error', () => {})
    onTestFinished(() => watcher.end())
    const [{ pid }] = (await pool.query('select pg_backend_pid() as pid')).rows as [{ pid: number }]
    await watcher.query('select pg_advisory_lock(1)')
    const slow = pool.query('select pg_advisory_lock(1), pg_backend_pid() as pid')
    // The pool opens a PostgreSQL session each time it checks whether the server responds. So the
    // number of sessions grows with each check.
    const ended = async () => {
      const { rows } = await watcher.query<{ sessions: number }>(
        'select sessions::int as sessions from pg_stat_database where datname = current_database()',
      )
      return (asked = Math.max(asked, rows[0]!.sessions))
    }
    const before = await ended()
    await expect.poll(ended).toBeGreaterThan(before + 2)
    await watcher.query('select pg_advisory_unlock(1)')
    expect((await slow).rows[0].pid).toBe(pid)
  },
)
