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
  /**
   * Differs once something changed, or the process or the person is another one; for visitors (null) only what they see counts. A page
   * that still shows somebody who has logged out in another tab finds out by it.
   */
  version: (userId: string | null) => string
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
    version: (userId) => (userId === null ? `${process}.${ofPublic}` : `${process}.${ofAll}.${userId}`),
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
