/** The signal after each commit: which topics changed. It wakes browsers (their loaders run again) and drops what was kept ready. */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'

/** catalogue: what every visitor sees · testimonials: those that are shown · tickets: those that are not, or not yet · orders: any conversation · order:{id} · user:{uid} · sales · settings · mail: the outbox · backups */
export type Topic =
  | 'catalogue'
  | 'testimonials'
  | 'tickets'
  | 'orders'
  | 'sales'
  | 'settings'
  | 'mail'
  | 'backups'
  | `order:${string}`
  | `user:${string}`

const publicTopics: Topic[] = ['catalogue', 'testimonials', 'settings']
export const isPublic = (topic: Topic) => publicTopics.includes(topic)
/** Anything may have changed: each of these reaches everybody whom it may concern. */
export const plainTopics: Topic[] = [...publicTopics, 'tickets', 'orders', 'sales', 'mail', 'backups']

export type Live = {
  /** Call after the commit, before the writer gets the answer. On PostgreSQL the commit itself tells the other processes (043). */
  changed: (...topics: Topic[]) => void
  /** The same for what the database does not tell by itself: pictures, a hundred in a row; files of backups. */
  announce: (...topics: Topic[]) => void
  /** For whoever keeps something: it may be stale. Comes at once, and with several processes a second time with the news. */
  onChange: (listener: (topics: Topic[]) => void) => () => void
  /** For whoever tells others: once for each change of any process, when `version` is that of the change. */
  onNews: (listener: (topics: Topic[]) => void) => () => void
  /** Ends the open connections of a session that has just ended. */
  sessionEnded: (sessionId: string) => void
  /** `isOurs`: ended by this process, which sees to what has to happen once. */
  onSessionEnd: (listener: (sessionId: string, isOurs: boolean) => void) => () => void
  /**
   * Differs once something changed, or the person is another one; for visitors (null) only what they see counts. A page that still shows somebody
   * who has logged out in another tab finds out by it. All processes on one database agree on it, one by itself begins anew with each start.
   */
  version: (userId: string | null) => string
  /** Whether every change that any process makes is heard of here: while it is not, nothing may be answered from what was made before. */
  isHearing: () => boolean
}

type Events = { change: [Topic[]]; news: [Topic[]]; 'session-end': [sessionId: string, isOurs: boolean] }

/** What both kinds of channel are made of. */
export function openEars() {
  const emitter = new EventEmitter<Events>().setMaxListeners(0)
  const hear =
    <Name extends keyof Events>(name: Name) =>
    (listener: (...told: Events[Name]) => void) => {
      // The type of node:events asks for the listeners of all names at once.
      const known = listener as never
      emitter.on(name, known)
      return () => void emitter.off(name, known)
    }
  return { emitter, onChange: hear('change'), onNews: hear('news'), onSessionEnd: hear('session-end') }
}

/** One process by itself: whoever writes is here. */
export function openLive(): Live {
  const { emitter, ...ears } = openEars()
  const process = randomUUID()
  let ofAll = 0
  let ofPublic = 0
  function changed(...topics: Topic[]) {
    ofAll += 1
    if (topics.some(isPublic)) ofPublic += 1
    emitter.emit('change', topics)
    emitter.emit('news', topics)
  }
  return {
    ...ears,
    changed,
    announce: changed,
    version: (userId) => (userId === null ? `${process}.${ofPublic}` : `${process}.${ofAll}.${userId}`),
    isHearing: () => true,
    sessionEnded: (sessionId) => void emitter.emit('session-end', sessionId, true),
  }
}
