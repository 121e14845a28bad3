import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'

export type TopicRules<Topic extends string> = {
  global: readonly Topic[]
  isTopic: (word: string) => word is Topic
  isPublic: (topic: Topic) => boolean
}

export type ChangeBus<Topic extends string> = {
  changed: (...topics: Topic[]) => void
  /**
   * For caches: called at once for a change of this process, and again when PostgreSQL reports it.
   */
  onChange: (listener: (topics: readonly Topic[]) => void) => () => void
  /** For browsers: called once for each change of any process. */
  onNews: (listener: (topics: readonly Topic[]) => void) => () => void
  sessionEnded: (sessionId: string) => void
  onSessionEnd: (listener: (sessionId: string, endedHere: boolean) => void) => () => void
  /** If `userId` is null, only changes of public topics count. */
  version: (userId: string | null) => string
  /** If false, caches may miss changes of other processes and must not be used. */
  isInSync: () => boolean
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
    isInSync: () => true,
    sessionEnded: (sessionId) => emit('session-end', sessionId, true),
  }
}
