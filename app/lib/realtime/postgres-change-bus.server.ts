/**
 * PostgreSQL sends all processes the same messages in the same order, so the id of the last message
 * is the version of the data.
 */
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import type { Log } from '../telemetry/log.server.ts'
import { createSubscriptions, type ChangeBus, type TopicRules } from './change-bus.server.ts'

/** PostgreSQL allows fewer than 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7900
const Message = z.array(z.string().max(200)).min(2)
const PING_MS = 1000
const ALIVE_MS = 3000
const MAX_PAUSE_MS = 3000
const EVERYTHING = '*'
const SESSION_END = 'end:'

export const CHANNEL = 'knots_and_love'
const APPLICATION = 'knots-and-love live'

type PostgresBusOptions<Topic extends string, Tables> = {
  db: Kysely<Tables>
  url: string
  fingerprint: string
  topics: TopicRules<Topic>
  log: Log
  echoTimeoutMs?: number
}
type PostgresChangeBus<Topic extends string> = ChangeBus<Topic> & {
  start: () => Promise<boolean>
  close: () => Promise<void>
}

async function publish<Tables>(db: Kysely<Tables>, id: string, words: readonly string[]) {
  const payload = JSON.stringify([id, ...words])
  const isTooLong = Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES
  const notification = isTooLong ? JSON.stringify([id, EVERYTHING]) : payload
  await sql`select pg_notify(${CHANNEL}, ${notification})`.execute(db)
}

export const publishEverything = <Tables>(db: Kysely<Tables>) =>
  publish(db, randomUUID(), [EVERYTHING])

export function createPostgresChangeBus<Topic extends string, Tables>(
  options: PostgresBusOptions<Topic, Tables>,
): PostgresChangeBus<Topic> {
  const { db, topics, log } = options
  const { emit, subscriptions } = createSubscriptions<Topic>()
  const versions = createVersions(topics)
  const listener = createListener(options, receive, versions.forget)

  const isTopic = (word: string): word is Topic => topics.isTopic(word)
  const isWord = (word: string) =>
    word === EVERYTHING ||
    (word.startsWith(SESSION_END) && word.length > SESSION_END.length) ||
    isTopic(word)

  function receive(payload: string) {
    const message = parseMessage(payload, isWord)
    if (!message) {
      return listener.warn(
        'another program uses the notification channel',
        'who else may connect to its database?',
      )
    }
    const [id, ...words] = message
    const changed = words.includes(EVERYTHING) ? topics.global : words.filter(isTopic)
    versions.receive(id, changed)
    if (listener.acceptEcho(id)) versions.settle()
    for (const word of words) {
      if (word.startsWith(SESSION_END)) emit('session-end', word.slice(SESSION_END.length), false)
    }
    if (changed.length === 0) return
    emit('change', changed)
    emit('news', changed)
  }

  function send(id: string, words: readonly string[]) {
    publish(db, id, words).catch((error: unknown) => {
      log.error('the other processes could not be notified of a change', error)
      listener.reconnect()
    })
  }

  return {
    ...subscriptions,
    changed(...changed) {
      const id = randomUUID()
      versions.change(id, changed)
      emit('change', changed)
      if (!listener.isInSync()) emit('news', changed)
      send(id, changed)
    },
    version: (userId) => versions.current(userId, listener.hasEcho()),
    isInSync: listener.isInSync,
    sessionEnded(sessionId) {
      emit('session-end', sessionId, true)
      send(randomUUID(), [`${SESSION_END}${sessionId}`])
    },
    start: () => listener.started,
    close: listener.close,
  }
}

function createVersions<Topic extends string>({ isPublic }: TopicRules<Topic>) {
  const self = randomUUID()
  const last = { all: '', public: '' }
  /**
   * The ids of this process's last changes, until PostgreSQL has sent them back. As a part of the
   * version, they make data stale that was read before these changes.
   */
  let ownIds = { all: '', public: '' }
  let ownChanges = 0
  return {
    change(id: string, changed: readonly Topic[]) {
      ownChanges += 1
      ownIds = { all: id, public: changed.some(isPublic) ? id : ownIds.public }
    },
    receive(id: string, changed: readonly Topic[]) {
      if (changed.length > 0) last.all = id
      if (ownIds.all === id) ownIds.all = ''
      if (changed.some(isPublic)) last.public = id
      if (ownIds.public === id) ownIds.public = ''
    },
    settle: () => void (ownIds = { all: '', public: '' }),
    forget: () => void (ownChanges += 1),
    current(userId: string | null, isComplete: boolean) {
      const kind = userId === null ? 'public' : 'all'
      const version = isComplete ? `${last[kind]}${ownIds[kind]}` : `${self}.${ownChanges}`
      return userId === null ? version : `${version}.${userId}`
    },
  }
}

const DEAF = 'the changes of other processes are not heard; nothing is cached until they are'

function createListener<Topic extends string, Tables>(
  { db, url, fingerprint, log, echoTimeoutMs = 5000 }: PostgresBusOptions<Topic, Tables>,
  receive: (payload: string) => void,
  onEnd: () => void,
) {
  const closing = new AbortController()
  const started = Promise.withResolvers<boolean>()
  const warnings = new Set<string>()
  let reconnect = () => {}
  let answeredAt = -Infinity
  let announcement: string | null = ''

  function warn(message: string, reason: unknown) {
    if (!warnings.has(message)) {
      log.error(message, reason instanceof Error ? reason : new Error(String(reason)))
    }
    warnings.add(message)
  }

  async function listen() {
    const { client, broken, close } = createClient(url, fingerprint, receive)
    reconnect = () => broken.abort(new Error('a change could not be sent'))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (await hasOtherFingerprint(client, fingerprint)) started.resolve(false)
      answeredAt = performance.now()
      announcement = randomUUID()
      await publish(db, announcement, [EVERYTHING])
      if (warnings.delete(DEAF)) log.info('changes of other processes are received again')
      for (const begun = performance.now(); ;) {
        const signal = AbortSignal.any([broken.signal, closing.signal])
        await after(PING_MS, undefined, { ref: false, signal }).catch(() => {})
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
      onEnd()
      close()
    }
  }

  async function keepListening() {
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

  return {
    warn,
    reconnect: () => reconnect(),
    hasEcho: () => announcement === null,
    isInSync: () => announcement === null && performance.now() - answeredAt < ALIVE_MS,
    acceptEcho(id: string) {
      if (announcement !== id) return false
      announcement = null
      started.resolve(true)
      return true
    },
    started: started.promise,
    async close() {
      closing.abort()
      await listening
    },
  }
}

function createClient(url: string, fingerprint: string, receive: (payload: string) => void) {
  const socket = new Socket()
  const client = new pg.Client({
    connectionString: url,
    application_name: `${APPLICATION} ${fingerprint}`,
    keepAlive: true,
    stream: () => socket,
    connectionTimeoutMillis: ALIVE_MS,
    query_timeout: ALIVE_MS,
  })
  const broken = new AbortController()
  for (const event of ['error', 'end'] as const) {
    client.on(event, (error) => broken.abort(error ?? new Error('the connection has ended')))
  }
  client.on('notification', ({ payload }) => receive(payload ?? ''))
  const close = () => {
    void client.end().catch(() => {})
    socket.destroy()
  }
  return { client, broken, close }
}

async function hasOtherFingerprint(client: pg.Client, fingerprint: string) {
  const { rowCount } = await client.query(
    'select from pg_stat_activity where datname = current_database() and starts_with(application_name, $1) and application_name <> $2',
    [APPLICATION, `${APPLICATION} ${fingerprint}`],
  )
  return Boolean(rowCount)
}

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
