/** One connection to PostgreSQL that only listens (043): opened again whenever it breaks, and never believed for longer than it answers. */
import { Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './log.server.ts'

/** The processes of a shop find each other by it. */
const NAME = 'knots-and-love live'
/** Milliseconds between two questions whether it is still there, and how long one answer counts. */
const PULSE = 1000
const COUNTS = 3000
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 3000

type Listening = {
  /** Whether it has answered within seconds. */
  isAlive: () => boolean
  /** How many others listen here too; null: this server does not say. */
  countOthers: () => Promise<number | null>
  close: () => Promise<void>
}
type Ears = {
  /** A new connection listens: whatever is told from now on arrives. */
  onOpen: () => void
  onMessage: (text: string) => void
  /** It is gone, or could not be had; something may be missed. */
  onLost: () => void
}

export function openListening(url: string, channel: string, log: Log, { onOpen, onMessage, onLost }: Ears): Listening {
  const closing = new AbortController()
  let client: pg.Client | null = null
  let answeredAt = -Infinity
  let isSaid = false

  /** Until it breaks. */
  async function listen(): Promise<void> {
    const line = new Socket()
    const own = new pg.Client({
      connectionString: url,
      application_name: NAME,
      keepAlive: true,
      connectionTimeoutMillis: COUNTS,
      stream: () => line,
    })
    const over = Promise.withResolvers<void>()
    const end = () => over.resolve()
    own.on('error', end)
    own.on('end', end)
    closing.signal.addEventListener('abort', end, { once: true })
    own.on('notification', ({ payload }) => payload !== undefined && onMessage(payload))
    let pulse: ReturnType<typeof setInterval> | undefined
    try {
      await own.connect()
      await own.query(`listen ${pg.escapeIdentifier(channel)}`)
      client = own
      answeredAt = performance.now()
      if (isSaid) log.info('the changes of other processes are heard again')
      isSaid = false
      onOpen()
      let isAsked = false
      pulse = setInterval(() => {
        // What hangs does not say goodbye either.
        if (performance.now() - answeredAt > 2 * COUNTS) return void line.destroy()
        if (isAsked) return
        isAsked = true
        own.query('select 1').then(
          () => {
            isAsked = false
            answeredAt = performance.now()
          },
          () => {},
        )
      }, PULSE).unref()
      await over.promise
    } finally {
      clearInterval(pulse)
      closing.signal.removeEventListener('abort', end)
      client = null
      answeredAt = -Infinity
      void own.end().catch(() => {})
      line.destroy()
      onLost()
    }
  }

  async function keepListening() {
    for (let pause = FIRST_PAUSE; !closing.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const begun = performance.now()
      const reason = await listen().catch((error: unknown) => error)
      if (closing.signal.aborted) return
      if (performance.now() - begun > LONGEST_PAUSE) pause = FIRST_PAUSE
      if (!isSaid)
        log.error('the changes of other processes are not heard; nothing is kept ready until they are', reason ?? 'the connection broke')
      isSaid = true
      await after(pause * (0.5 + Math.random()), undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
  }
  const kept = keepListening()

  return {
    isAlive: () => client !== null && performance.now() - answeredAt < COUNTS,
    countOthers: async () =>
      (await client
        ?.query(
          'select count(*)::int as others from pg_stat_activity where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()',
          [NAME],
        )
        .then(({ rows }) => Number(rows[0].others))
        .catch(() => null)) ?? null,
    async close() {
      closing.abort()
      await kept
    },
  }
}
