/**
 * The live channel of several processes on one PostgreSQL (043). Commits tell by NOTIFY (030-signals), all processes hear the same messages in the
 * same order, so the number of the last one is a version that all of them agree on. A process that comes asks those that are there for it.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { CHANNEL } from '#db/migrations/030-signals.ts'
import type { Db } from '#db/tables.ts'
import { openListening } from './listening.server.ts'
import { isPublic, openEars, plainTopics, type Live, type Topic } from './live.server.ts'
import type { Log } from './log.server.ts'
import { areWords, readTold } from './told.ts'

/** Milliseconds that others get to say where they are. */
const PATIENCE = 500
/** Echoes take a thousandth of it. */
const ECHO = 1000
/** No echo of one's own greeting: what the pool says does not arrive here. */
const NO_ECHO = 5000

type SharedLive = Live & {
  /** Once it hears; by then it is known whether the others have the same `mark`. */
  start: () => Promise<'same' | 'other-mark' | 'deaf'>
  close: () => Promise<void>
}
/** `url`: reaches PostgreSQL itself, no pooler that hands connections round. `mark`: what all processes have to agree in. */
type Setup = { db: Db; url: string; mark: string; log: Log; listen?: typeof openListening }

const HELLO = 'hello'
const HERE = 'here'

export function openSharedLive({ db, url, mark, log, listen = openListening }: Setup): SharedLive {
  const { emitter, ...ears } = openEars()
  const self = randomUUID()
  /** deaf: no connection · asking: everything is heard, and the others are asked where they are · hearing */
  let state: 'deaf' | 'asking' | 'hearing' = 'deaf'
  let isFirst = true
  /** The newest messages: of all topics, of those that visitors see. null: not known yet. */
  let newest: { all: string | null; public: string | null } = { all: null, public: null }
  let lastHello = ''
  /** Own changes while deaf. */
  let unheard = 0
  /** Own changes whose echo has not come: what was read before them is old here already. */
  let own = { all: '', public: '' }
  let changes = 0
  let waiting: ReturnType<typeof setTimeout> | undefined
  const started = Promise.withResolvers<'same' | 'other-mark' | 'deaf'>()

  const send = (...words: (string | null)[]) =>
    sql`select pg_notify(${CHANNEL}, ${JSON.stringify(words)})`
      .execute(db)
      .catch((error: unknown) => log.error('nothing could be told', error))

  function emit(topics: Topic[]) {
    emitter.emit('change', topics)
    emitter.emit('news', topics)
  }

  /** What comes with one transaction is one piece of news, though several tables have told it. */
  let gathered: { id: string; topics: Set<string> } | null = null
  function gather(id: string, topics: string[]) {
    if (gathered && gathered.id !== id) hand()
    if (!gathered) setImmediate(hand)
    gathered ??= { id, topics: new Set() }
    for (const topic of topics) gathered.topics.add(topic)
  }
  function hand() {
    if (!gathered) return
    const { id, topics } = gathered
    gathered = null
    const ends = [...topics].filter((topic) => topic.startsWith('end:'))
    const told = topics.has('*') ? plainTopics : ([...topics].filter((topic) => !topic.startsWith('end:')) as Topic[])
    newest.all = id
    own.all = ''
    if (told.some(isPublic)) [newest.public, own.public] = [id, '']
    for (const end of ends) emitter.emit('session-end', end.slice('end:'.length), false)
    if (told.length > 0) emit(told)
  }

  function onMessage(text: string) {
    const [first, ...rest] = readTold(text) ?? []
    if (first === HERE) onHere(rest)
    else if (first === undefined || !areWords(rest)) noteStranger()
    else if (first === HELLO) onHello(rest)
    else gather(first, rest)
  }

  /** Whoever may connect to the database may speak here: nothing of it may stop the shop, or fill the log. */
  let isStrangerNoted = false
  function noteStranger() {
    if (!isStrangerNoted) log.error('somebody else speaks on the channel of the shop', new Error('who else may connect to its database?'))
    isStrangerNoted = true
  }

  function onHello([who, greeting]: string[]) {
    if (who === undefined || greeting === undefined) return noteStranger()
    hand()
    lastHello = greeting
    if (who !== self) return void send(HERE, who, mark, state === 'hearing' ? newest.all : null, state === 'hearing' ? newest.public : null)
    if (state !== 'deaf') return
    // From here on nothing is missed. Alone there is nobody to wait for.
    state = 'asking'
    newest = { all: null, public: null }
    clearTimeout(waiting)
    waiting = setTimeout(settle, PATIENCE).unref()
    void listening.countOthers().then((others) => others === 0 && settle())
  }

  function onHere([whom, theirs, all, ofPublic]: (string | null)[]) {
    if (whom !== self) return
    hand()
    if (theirs !== mark) {
      log.error(
        'another process of this shop has other secrets',
        new Error('SHOP_SECRET, or the folder of secrets, must be the same for all'),
      )
      started.resolve('other-mark')
    }
    if (state !== 'asking' || !all || !ofPublic) return
    newest = { all: newest.all ?? all, public: newest.public ?? ofPublic }
    settle()
  }

  function settle() {
    if (state !== 'asking') return
    clearTimeout(waiting)
    hand()
    newest = { all: newest.all ?? lastHello, public: newest.public ?? lastHello }
    state = 'hearing'
    isDeafTold = false
    // What was missed meanwhile nobody knows.
    if (!isFirst) emit(plainTopics)
    isFirst = false
    started.resolve('same')
  }

  /** It goes on for as long as nobody puts the setting right. */
  let isDeafTold = false
  /** Through the pool, on whose connections the commits are made: it is they that must be heard. */
  function greet() {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      if (!isDeafTold)
        log.error('what DATABASE_URL tells is not heard', new Error('DATABASE_LISTEN_URL must lead to the same database, without a pooler'))
      isDeafTold = true
      started.resolve('deaf')
      greet()
    }, NO_ECHO).unref()
    void send(HELLO, self, randomUUID())
  }

  const listening = listen(url, CHANNEL, log, {
    onOpen: greet,
    onMessage,
    onLost() {
      clearTimeout(waiting)
      hand()
      state = 'deaf'
      unheard += 1
      started.resolve('deaf')
    },
  })

  function changed(...topics: Topic[]) {
    const mark = `~${self}${++changes}`
    own = { all: mark, public: topics.some(isPublic) ? mark : own.public }
    // An echo that was faster than this will not come again.
    setTimeout(() => {
      if (own.all === mark) own.all = ''
      if (own.public === mark) own.public = ''
    }, ECHO).unref()
    if (state === 'hearing' && listening.isAlive()) return void emitter.emit('change', topics)
    // Nobody else will tell it here.
    unheard += 1
    emit(topics)
  }

  return {
    ...ears,
    changed,
    announce(...topics) {
      changed(...topics)
      void send(randomUUID(), ...topics)
    },
    version(userId) {
      const kind = userId === null ? 'public' : 'all'
      const known = state === 'hearing' ? newest[kind] + own[kind] : `${self}.${unheard}`
      return userId === null ? known : `${known}.${userId}`
    },
    isHearing: () => state === 'hearing' && listening.isAlive(),
    sessionEnded: (sessionId) => void emitter.emit('session-end', sessionId, true),
    start: () => started.promise,
    async close() {
      clearTimeout(waiting)
      state = 'deaf'
      await listening.close()
    },
  }
}
