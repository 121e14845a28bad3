/** A PostgreSQL that stands still without breaking (044): who is connected to it is told so, instead of waiting until TCP gives up. */
import { Socket } from 'node:net'
import pg from 'pg'

/** Milliseconds: after how long somebody asks whether it is still there, and how long it has for an answer. */
export const patience = { before: 4000, for: 8000 }

/** Whether a new connection is answered; a refusal in words of the server's own is an answer too. */
async function isResponsive(connectionString: string, withinMs: number): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: withinMs, query_timeout: withinMs })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    void client.end().catch(() => {})
  }
}

/** Cuts its connections when one is in use for long and the server does not answer a new one; a long query goes on as long as the server is there. */
export function openWatchedPool({ connectionString, ...config }: pg.PoolConfig & { connectionString: string }, wait = patience): pg.Pool {
  const lines = new Set<Socket>()
  const takenAt = new Map<pg.PoolClient, number>()
  let look: ReturnType<typeof setTimeout> | undefined

  const pool = new pg.Pool({
    ...config,
    connectionString,
    stream() {
      const line = new Socket()
      lines.add(line)
      return line.once('close', () => lines.delete(line))
    },
  })
  // A connection that breaks must not take the process down, neither an idle one nor one between two queries of a transaction.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('acquire', (client) => {
    takenAt.set(client, performance.now())
    look ??= setTimeout(lookAround, wait.before).unref()
  })
  pool.on('release', (_error, client) => takenAt.delete(client))

  async function lookAround() {
    const [since] = takenAt.values()
    if (since !== undefined && performance.now() - since >= wait.before && !(await isResponsive(connectionString, wait.for)))
      for (const line of lines) line.destroy()
    look = takenAt.size > 0 ? setTimeout(lookAround, wait.before).unref() : undefined
  }
  return pool
}
