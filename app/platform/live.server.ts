/** The signal after each commit: which topics changed. It wakes browsers (their loaders run again) and will drop cached pages. */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'

/** catalogue: what every visitor sees · testimonials: those that are shown · tickets: those that are not, or not yet · orders: any conversation · order:{id} · user:{uid} · sales · settings · mail: the outbox */
export type Topic =
  | 'catalogue'
  | 'testimonials'
  | 'tickets'
  | 'orders'
  | 'sales'
  | 'settings'
  | 'mail'
  | `order:${string}`
  | `user:${string}`

const publicTopics: Topic[] = ['catalogue', 'testimonials', 'settings']

export type Live = {
  /** Call after the commit, before the writer gets the answer. */
  changed: (...topics: Topic[]) => void
  onChange: (listener: (topics: Topic[]) => void) => () => void
  /** Ends the open connections of a session that has just ended. */
  sessionEnded: (sessionId: string) => void
  onSessionEnd: (listener: (sessionId: string) => void) => () => void
  /** Differs once something changed, or the process is another one; for visitors only what they see counts. */
  version: (isSignedIn: boolean) => string
}

export function openLive(): Live {
  const emitter = new EventEmitter<{ change: [Topic[]]; 'session-end': [string] }>().setMaxListeners(0)
  const process = randomUUID()
  let ofAll = 0
  let ofPublic = 0
  return {
    changed(...topics) {
      ofAll += 1
      if (topics.some((topic) => publicTopics.includes(topic))) ofPublic += 1
      emitter.emit('change', topics)
    },
    version: (isSignedIn) => `${process}.${isSignedIn ? ofAll : ofPublic}`,
    onChange(listener) {
      emitter.on('change', listener)
      return () => void emitter.off('change', listener)
    },
    sessionEnded: (sessionId) => void emitter.emit('session-end', sessionId),
    onSessionEnd(listener) {
      emitter.on('session-end', listener)
      return () => void emitter.off('session-end', listener)
    },
  }
}
