/** Processes that start at the same time open the shop one after the other (043): migrations, the owner's account, the demo shop are made once. */
import type pg from 'pg'

/** Any number that nobody else takes. */
const LOCK_ID = 5_660_043
/** A connection of this name only holds the lock, or waits for it, and uses no rows. */
export const LOCK_APP_NAME = 'knots-and-love turn'
/** Milliseconds. A migration or restore of a large shop takes minutes; whoever holds the lock for an hour has vanished or hangs. */
const patience = { connecting: 8000, silent: 10_000, waiting: 3_600_000 }
const LOCK_NOT_AVAILABLE = '55P03'

/** A killed process loses the lock with its connection. `url` null: SQLite locks its own file. `say` tells the person at the terminal. */
export async function withStartupLock<Result>(
  url: string | null,
  open: () => Promise<Result>,
  say: (line: string) => void = () => {},
  given: Partial<typeof patience> = {},
): Promise<Result> {
  if (url === null) return open()
  const { default: postgres } = await import('pg')
  const { connecting, silent, waiting } = { ...patience, ...given }
  const connection = { connectionString: url, keepAlive: true, connectionTimeoutMillis: connecting }
  const client = new postgres.Client({ ...connection, application_name: LOCK_APP_NAME })
  // What breaks here breaks what follows too, and is told there.
  client.on('error', () => {})
  await client.connect()
  const notice = 'Another process of this shop is just starting, or brings the database up to date or back; this one waits for it.'
  const timer = setTimeout(say, silent, notice)
  try {
    await takeLock(client, waiting).finally(() => clearTimeout(timer))
    return await open()
  } finally {
    await client.end().catch(() => {})
  }
}

async function takeLock(client: pg.Client, waiting: number): Promise<void> {
  await client.query(`set lock_timeout = ${waiting}`)
  await client.query('select pg_advisory_lock($1)', [LOCK_ID]).catch((error: { code?: string }) => {
    if (error.code !== LOCK_NOT_AVAILABLE) throw error
    throw new Error('Another process of this shop has been starting for too long. End it, and start this one again.', { cause: error })
  })
}
