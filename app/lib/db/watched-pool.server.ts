import { Socket } from 'node:net'
import pg from 'pg'

const livenessTimeoutsMs = { before: 4000, for: 8000 }

async function isResponsive(connectionString: string, withinMs: number) {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  })
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

/** Closes all connections if the server does not respond to a new one. */
export function openWatchedPool(
  { connectionString, ...config }: pg.PoolConfig & { connectionString: string },
  wait = livenessTimeoutsMs,
) {
  const lines = new Set<Socket>()
  const takenAt = new Map<pg.PoolClient, number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const pool = new pg.Pool({
    ...config,
    connectionString,
    stream() {
      const line = new Socket()
      lines.add(line)
      return line.once('close', () => lines.delete(line))
    },
  })
  // Without these listeners, an idle connection that breaks would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('acquire', (client) => {
    takenAt.set(client, performance.now())
    timer ??= setTimeout(lookAround, wait.before).unref()
  })
  pool.on('release', (_error, client) => takenAt.delete(client))

  async function lookAround() {
    const [since] = takenAt.values()
    if (
      since !== undefined &&
      performance.now() - since >= wait.before &&
      !(await isResponsive(connectionString, wait.for))
    ) {
      for (const line of lines) line.destroy()
    }
    timer = takenAt.size > 0 ? setTimeout(lookAround, wait.before).unref() : undefined
  }
  return pool
}
