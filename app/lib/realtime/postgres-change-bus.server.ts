/** A change bus for several processes. PostgreSQL sends the same NOTIFY messages in the same sequence to all processes, so each process uses the id of the last message as the version of the data. */
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import { createSubscriptions, type ChangeBus, type TopicRules } from './change-bus.server.ts'

/** The maximum size of a NOTIFY message in bytes. PostgreSQL allows less than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7900
const Message = z.array(z.string().max(200)).min(2)
const PING_MS = 1000
/** After a response of PostgreSQL, the connection counts as working for this many milliseconds. */
const ALIVE_MS = 3000
const MAX_PAUSE_MS = 3000
const EVERYTHING = '*'
const SESSION_END = 'end:'

export const CHANNEL = 'knots_and_love'
const APPLICATION = 'knots-and-love live'

type Log = { info: (message: string) => void; error: (message: string, error: unknown) => void }
type Options<Topic extends string, Tables> = {
  db: Kysely<Tables>
  /** the URL of PostgreSQL itself, not of a connection pooler */
  url: string
  /** a hash of the secrets, at most 40 characters long, which must be equal in all processes */
  fingerprint: string
  topics: TopicRules<Topic>
  log: Log
  echoTimeoutMs?: number
}
type PostgresChangeBus<Topic extends string> = ChangeBus<Topic> & {
  /** resolves after the first attempt to connect; resolves to false if a process with another fingerprint is running */
  start: () => Promise<boolean>
  close: () => Promise<void>
}

async function publish<Tables>(
  db: Kysely<Tables>,
  id: string,
  words: readonly string[],
): Promise<void> {
  const payload = JSON.stringify([id, ...words])
  const isTooLong = Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES
  await sql`select pg_notify(${CHANNEL}, ${isTooLong ? JSON.stringify([id, EVERYTHING]) : payload})`.execute(
    db,
  )
}

/** Notifies all processes that anything may have changed. Terminal commands call this function after they write to the database, because a shop may be running. */
export const publishEverything = <Tables>(db: Kysely<Tables>): Promise<void> =>
  publish(db, randomUUID(), [EVERYTHING])

/** Parses a message. Returns null if another program has sent the message. */
function parseMessage(
  payload: string,
  isWord: (word: string) => boolean,
): [id: string, ...words: string[]] | null {
  try {
    const parts = Message.parse(JSON.parse(payload))
    return parts.slice(1).every(isWord) ? (parts as [string, ...string[]]) : null
  } catch {
    return null
  }
}

export function createPostgresChangeBus<Topic extends string, Tables>(
  options: Options<Topic, Tables>,
): PostgresChangeBus<Topic> {
  const { db, url, fingerprint, topics, log, echoTimeoutMs = 5000 } = options
  const { emit, subscriptions } = createSubscriptions<Topic>()
  const self = randomUUID()
  const closing = new AbortController()
  const started = Promise.withResolvers<boolean>()
  let reconnect = () => {}
  let answeredAt = -Infinity
  /** The id of a message that this process sends to itself after connecting. When the message arrives, the value becomes null, which proves that the process receives notifications. */
  let announcement: string | null = ''
  let last = { all: '', public: '' }
  /** The ids of the last changes of this process that PostgreSQL has not returned as notifications yet. Data that was read before these changes is stale. */
  let own = { all: '', public: '' }
  let ownChanges = 0

  const isHearing = () => announcement === null && performance.now() - answeredAt < ALIVE_MS
  const isTopic = (word: string): word is Topic => topics.isTopic(word)
  const isWord = (word: string) =>
    word === EVERYTHING ||
    (word.startsWith(SESSION_END) && word.length > SESSION_END.length) ||
    isTopic(word)

  function receive(payload: string) {
    const message = parseMessage(payload, isWord)
    if (!message)
      return warn(
        'another program uses the notification channel',
        'who else may connect to its database?',
      )
    const [id, ...words] = message
    const changed = words.includes(EVERYTHING) ? topics.global : words.filter(isTopic)
    if (changed.length > 0) last.all = id
    if (own.all === id) own.all = ''
    if (changed.some(topics.isPublic)) last.public = id
    if (own.public === id) own.public = ''
    if (announcement === id) {
      announcement = null
      own = { all: '', public: '' }
      started.resolve(true)
    }
    for (const word of words)
      if (word.startsWith(SESSION_END)) emit('session-end', word.slice(SESSION_END.length), false)
    if (changed.length === 0) return
    emit('change', changed)
    emit('news', changed)
  }

  const warned = new Set<string>()
  /** Logs each problem only once, because a problem may last until the owner solves it. */
  function warn(message: string, reason: unknown) {
    if (!warned.has(message))
      log.error(message, reason instanceof Error ? reason : new Error(String(reason)))
    warned.add(message)
  }

  async function listen(): Promise<void> {
    const socket = new Socket()
    const client = new pg.Client({
      ...{
        connectionString: url,
        application_name: `${APPLICATION} ${fingerprint}`,
        keepAlive: true,
        stream: () => socket,
      },
      ...{ connectionTimeoutMillis: ALIVE_MS, query_timeout: ALIVE_MS },
    })
    const broken = new AbortController()
    for (const event of ['error', 'end'] as const)
      client.on(event, (error) => broken.abort(error ?? new Error('the connection has ended')))
    reconnect = () => broken.abort(new Error('a change could not be sent'))
    client.on('notification', ({ payload }) => receive(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      const others = await client.query(
        'select from pg_stat_activity where datname = current_database() and starts_with(application_name, $1) and application_name <> $2',
        [APPLICATION, `${APPLICATION} ${fingerprint}`],
      )
      if (others.rowCount) started.resolve(false)
      answeredAt = performance.now()
      // The message is sent through the pool, to check that the pool uses the same database as this connection.
      announcement = randomUUID()
      await publish(db, announcement, [EVERYTHING])
      if (warned.delete(DEAF)) log.info('changes of other processes are received again')
      for (const begun = performance.now(); ;) {
        await after(PING_MS, undefined, {
          ref: false,
          signal: AbortSignal.any([broken.signal, closing.signal]),
        }).catch(() => {})
        if (closing.signal.aborted) return
        broken.signal.throwIfAborted()
        await client.query('select 1')
        answeredAt = performance.now()
        if (announcement === null || answeredAt - begun < echoTimeoutMs) continue
        warn(
          'notifications of DATABASE_URL do not arrive',
          'DATABASE_LISTEN_URL must lead to the same database, without a pooler',
        )
        started.resolve(true)
      }
    } finally {
      announcement ??= ''
      answeredAt = -Infinity
      ownChanges += 1
      void client.end().catch(() => {})
      socket.destroy()
    }
  }

  const DEAF = 'the changes of other processes are not heard; nothing is cached until they are'
  async function keepListening(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      const begun = performance.now()
      const reason = await listen().catch((error: unknown) => error)
      if (closing.signal.aborted) return
      warn(DEAF, reason)
      started.resolve(true)
      if (performance.now() - begun > MAX_PAUSE_MS) failures = 0
      const pause = Math.min(100 * 2 ** failures, MAX_PAUSE_MS) * (0.5 + Math.random())
      await after(pause, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
  }
  const listening = keepListening()

  function send(id: string, words: readonly string[]) {
    publish(db, id, words).catch((error: unknown) => {
      log.error('the other processes could not be notified of a change', error)
      reconnect()
    })
  }

  return {
    ...subscriptions,
    changed(...changed) {
      const id = randomUUID()
      ownChanges += 1
      own = { all: id, public: changed.some(topics.isPublic) ? id : own.public }
      emit('change', changed)
      if (!isHearing()) emit('news', changed)
      send(id, changed)
    },
    version(userId) {
      const kind = userId === null ? 'public' : 'all'
      const known = announcement === null ? `${last[kind]}${own[kind]}` : `${self}.${ownChanges}`
      return userId === null ? known : `${known}.${userId}`
    },
    isHearing,
    sessionEnded(sessionId) {
      emit('session-end', sessionId, true)
      send(randomUUID(), [`${SESSION_END}${sessionId}`])
    },
    start: () => started.promise,
    async close() {
      closing.abort()
      await listening
    },
  }
}
