import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'

/** `global` lists all topics without an id. A message with all these topics means that anything may have changed. */
export type TopicRules<Topic extends string> = {
  global: readonly Topic[]
  isTopic: (word: string) => word is Topic
  isPublic: (topic: Topic) => boolean
}

export type ChangeBus<Topic extends string> = {
  /** Publishes a change. Must be called after the commit and before the response. */
  changed: (...topics: Topic[]) => void
  /** Subscribes a cache. The listener is called immediately after a change of this process, and for each notification of a change that PostgreSQL sends. Returns a function that unsubscribes. */
  onChange: (listener: (topics: readonly Topic[]) => void) => () => void
  /** Subscribes the code that notifies browsers. The listener is called once per change of any process, after `version` has changed. */
  onNews: (listener: (topics: readonly Topic[]) => void) => () => void
  /** Closes the WebSockets of a login session. Must be called after the session was deleted. */
  sessionEnded: (sessionId: string) => void
  /** Subscribes to the ends of login sessions. `endedHere` is true only in the process that has ended the session. Work that must happen only once needs `endedHere`. */
  onSessionEnd: (listener: (sessionId: string, endedHere: boolean) => void) => () => void
  /** Returns a text that is different after each change and for each user. If `userId` is null, the text is different only after changes of public topics. */
  version: (userId: string | null) => string
  /** Returns true if this process receives the changes of all other processes. Otherwise the process must not use caches. */
  isHearing: () => boolean
}

type Events<Topic> = {
  change: [readonly Topic[]]
  news: [readonly Topic[]]
  'session-end': [sessionId: string, endedHere: boolean]
}

export function createSubscriptions<Topic extends string>() {
  const emitter = new EventEmitter().setMaxListeners(0)
  const subscribe =
    <Name extends keyof Events<Topic>>(name: Name) =>
    (listener: (...about: Events<Topic>[Name]) => void) => {
      emitter.on(name, listener as (...about: unknown[]) => void)
      return () => void emitter.off(name, listener as (...about: unknown[]) => void)
    }
  return {
    emit: <Name extends keyof Events<Topic>>(name: Name, ...about: Events<Topic>[Name]) =>
      void emitter.emit(name, ...about),
    subscriptions: {
      onChange: subscribe('change'),
      onNews: subscribe('news'),
      onSessionEnd: subscribe('session-end'),
    },
  }
}

export function createChangeBus<Topic extends string>({
  isPublic,
}: TopicRules<Topic>): ChangeBus<Topic> {
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
    version: (userId) =>
      userId === null ? `${process}.${publicChanges}` : `${process}.${changes}.${userId}`,
    isHearing: () => true,
    sessionEnded: (sessionId) => emit('session-end', sessionId, true),
  }
}
