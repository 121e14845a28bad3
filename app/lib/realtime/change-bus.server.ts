/** Says after each commit which topics changed: browsers run their loaders again, and caches drop what is stale. */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'

/** The topics of an application. `global`: all that carry no id, and so together stand for "anything may have changed". */
export type TopicRules<Topic extends string> = {
  global: readonly Topic[]
  isTopic: (word: string) => word is Topic
  isPublic: (topic: Topic) => boolean
}

export type ChangeBus<Topic extends string> = {
  /** Call after the commit, before the writer gets the answer. */
  changed: (...topics: Topic[]) => void
  /** For caches: comes at once, and with several processes a second time along with the news. Returns the function that unsubscribes. */
  onChange: (listener: (topics: readonly Topic[]) => void) => () => void
  /** For those who tell browsers: once for each change of any process, when `version` is that of the change. */
  onNews: (listener: (topics: readonly Topic[]) => void) => () => void
  /** Call when a session has been deleted: its open connections are closed. */
  sessionEnded: (sessionId: string) => void
  /** `isOurs`: this process has ended it, and sees to what has to happen once. */
  onSessionEnd: (listener: (sessionId: string, isOurs: boolean) => void) => () => void
  /** Differs after each change and for each user; for visitors (null) only public topics count. A single process begins anew with each start. */
  version: (userId: string | null) => string
  /** Whether this process hears the changes of all others: while it does not, nothing may be answered from a cache. */
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
