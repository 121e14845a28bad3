/** Processes that start at the same time open the shop one after the other (043): migrations, the owner's account, the demo shop are made once. */
import pg from 'pg'

/** Any number that nobody else takes. */
const LOCK_ID = 5_660_043
/** Whoever waits for a turn, or has it, is known by this name among the database's connections, and uses no rows over that one. */
export const LOCK_APP_NAME = 'knots-and-love turn'

/**
 * Milliseconds. Most wait less than a second. After `first` a line says what goes on, and after each `next` again; a migration, restore or move
 * of a large shop takes minutes. Whoever holds the turn for longer than `most` is a machine that has vanished, or a process that hangs.
 */
const patience = { connecting: 8000, first: 10_000, next: 60_000, most: 3_600_000 }
/** PostgreSQL's word for a lock that was not had in time. */
const NOT_YET = '55P03'

/**
 * Over a connection of its own, which a killed process loses along with its turn. `url` null: a file, whose own lock does. `say` tells the person
 * at the terminal what it waits for; `given`: another patience, for tests. Throws, and has opened nothing, when it gives up.
 */
export async function withStartupLock<Result>(
  url: string | null,
  open: () => Promise<Result>,
  say: (line: string) => void = () => {},
  given: Partial<typeof patience> = {},
): Promise<Result> {
  if (url === null) return open()
  const wait = { ...patience, ...given }
  const client = new pg.Client({
    connectionString: url,
    application_name: LOCK_APP_NAME,
    keepAlive: true,
    connectionTimeoutMillis: wait.connecting,
  })
  // What breaks here breaks what follows too, and is told there.
  client.on('error', () => {})
  await client.connect()
  try {
    await acquireLock(client, say, wait)
    return await open()
  } finally {
    await client.end().catch(() => {})
  }
}

async function acquireLock(client: pg.Client, say: (line: string) => void, { first, next, most }: typeof patience): Promise<void> {
  for (let waited = 0, wait = first; ; waited += wait, wait = next) {
    if (waited >= most) throw new Error(await whyGivenUp(client))
    await client.query(`set lock_timeout = ${wait}`)
    try {
      await client.query('select pg_advisory_lock($1)', [LOCK_ID])
      return
    } catch (error) {
      if ((error as { code?: string }).code !== NOT_YET) throw error
    }
    const holder = await findHolder(client)
    if (holder)
      say(
        `Another process of this shop is just starting, or brings the database up to date or back; this one waits for it (${holder.text}).`,
      )
  }
}

async function whyGivenUp(client: pg.Client): Promise<string> {
  const holder = await findHolder(client)
  if (!holder) return 'Other processes of this shop were always faster to get their turn of starting. Start it again.'
  return `Another process of this shop has held the turn of starting for too long (${holder.text}). If it is gone, or hangs, end its connection on the database: select pg_terminate_backend(${holder.pid})`
}

/** null: nobody any more. What PostgreSQL shows of other people's connections is little. */
async function findHolder(client: pg.Client): Promise<{ pid: number; text: string } | null> {
  const { rows } = await client.query<{ pid: number; address: string | null; since: Date | null }>(
    `select pid, host(client_addr) as address, backend_start as since from pg_locks left join pg_stat_activity using (pid)
      where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1 and granted
        and pg_locks.database = (select oid from pg_database where datname = current_database())`,
    [LOCK_ID],
  )
  const [holder] = rows
  if (!holder) return null
  const { pid, address, since } = holder
  return { pid, text: `connection ${pid}${address ? ` from ${address}` : ''}${since ? `, since ${since.toISOString()}` : ''}` }
}
