import type pg from 'pg'

const LOCK_ID = 5_660_043
/** Commands that look for other connections ignore those that hold or await the lock. */
export const LOCK_APP_NAME = 'knots-and-love startup lock'
/** `waiting` is long, because a migration or restore of a large shop takes minutes. */
const timeoutsMs = { connecting: 8000, silent: 10_000, waiting: 3_600_000 }
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Only one process at a time creates tables, owner and demo shop. SQLite (`url` null) locks its
 * file itself.
 */
export async function withStartupLock<Result>(
  url: string | null,
  open: () => Promise<Result>,
  say: (line: string) => void = () => {},
  given: Partial<typeof timeoutsMs> = {},
) {
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

async function takeLock(client: pg.Client, waiting: number) {
  await client.query(`set lock_timeout = ${waiting}`)
  await client.query('select pg_advisory_lock($1)', [LOCK_ID]).catch((error: { code?: string }) => {
    if (error.code !== LOCK_NOT_AVAILABLE) throw error
    throw new Error(
      'Another process of this shop has been starting for too long. End it, and start this one again.',
      { cause: error },
    )
  })
}
