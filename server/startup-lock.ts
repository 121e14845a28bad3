/** Makes processes that start at the same time wait for each other, so that the tables, the owner's account and the demo shop are created only once. */
import type pg from 'pg'

/** This number identifies the lock. Its value is arbitrary. */
const LOCK_ID = 5_660_043
/** Connections that only hold the lock or wait for the lock have this `application_name`, so that commands can ignore these connections. */
export const LOCK_APP_NAME = 'knots-and-love startup lock'
/** Timeouts in milliseconds. `waiting` is an hour, because a migration or restore of a large shop takes minutes. */
const timeoutsMs = { connecting: 8000, silent: 10_000, waiting: 3_600_000 }
const LOCK_NOT_AVAILABLE = '55P03'

/** Runs `open` while holding the lock. A killed process loses the lock with its connection. If `url` is null, no lock is needed, because SQLite locks its own file. */
export async function withStartupLock<Result>(
  url: string | null,
  open: () => Promise<Result>,
  say: (line: string) => void = () => {},
  given: Partial<typeof timeoutsMs> = {},
): Promise<Result> {
  if (url === null) return open()
  const { default: postgres } = await import('pg')
  const { connecting, silent, waiting } = { ...timeoutsMs, ...given }
  const connection = { connectionString: url, keepAlive: true, connectionTimeoutMillis: connecting }
  const client = new postgres.Client({ ...connection, application_name: LOCK_APP_NAME })
  client.on('error', () => {})
  await client.connect()
  const notice =
    'Another process of this shop is just starting, or brings the database up to date or back; this one waits for it.'
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
    throw new Error(
      'Another process of this shop has been starting for too long. End it, and start this one again.',
      { cause: error },
    )
  })
}
