import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'

/** `global`: all topics without an id; together they mean "anything may have changed". */
export type TopicRules<Topic extends string> = {
  global: readonly Topic[]
  isTopic: (word: string) => word is Topic
  isPublic: (topic: Topic) => boolean
}

export type ChangeBus<Topic extends string> = {
  /** Call it after the commit and before the response. */
  changed: (...topics: Topic[]) => void
  /** For caches: calls the listener immediately, and again when this process receives its own notification from PostgreSQL. Returns a function that unsubscribes. */
  onChange: (listener: (topics: readonly Topic[]) => void) => () => void
  /** For browsers: calls the listener once per change of any process, after `version` has changed. */
  onNews: (listener: (topics: readonly Topic[]) => void) => () => void
  /** Call it after a session was deleted; the session's WebSockets are closed. */
  sessionEnded: (sessionId: string) => void
  /** `isOurs`: this process has ended the session and does what must happen only once */
  onSessionEnd: (listener: (sessionId: string, isOurs: boolean) => void) => () => void
  /** The version differs after each change and for each user; for visitors (null) only public topics count. */
  version: (userId: string | null) => string
  /** true: this process receives the changes of all others; otherwise no cache may be used. */
  isHearing: () => boolean
}

type Events<Topic> = { change: [readonly Topic[]]; news: [readonly Topic[]]; 'session-end': [sessionId: string, isOurs: boolean] }

export function createSubscriptions<Topic extends string>() {
  const emitter = new EventEmitter().setMaxListeners(0)
  const subscribe =
    <Name extends keyof Events<Topic>>(name: Name) =>
    (listener: (...about: Events<Topic>[Name]) => void) => {
      emitter.on(name, listener as (...about: unknown[]) => void)
      return () => void emitter.off(name, listener as (...about: unknown[]) => void)
    }
  return {
    emit: <Name extends keyof Events<Topic>>(name: Name, ...about: Events<Topic>[Name]) => void emitter.emit(name, ...about),
    subscriptions: { onChange: subscribe('change'), onNews: subscribe('news'), onSessionEnd: subscribe('session-end') },
  }
}

export function createChangeBus<Topic extends string>({ isPublic }: TopicRules<Topic>): ChangeBus<Topic> {
  const { emit, subscriptions } = createSubscriptions<Topic>()
  const process = randomUUID()
  let changes = 0
  let publicChanges = 0
  return {
    ...subscriptions,
    changed(...topics) {
      changes += 1
      if (topics.some(isPublic)) publicChanges += 1
      emit('change', topics)
      emit('news', topics)
    },
    version: (userId) => (userId === null ? `${process}.${publicChanges}` : `${process}.${changes}.${userId}`),
    isHearing: () => true,
    sessionEnded: (sessionId) => emit('session-end', sessionId, true),
  }
}
