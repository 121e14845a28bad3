/** The signal after each commit: which topics changed. It wakes browsers (their loaders run again) and will drop cached pages. */
import { EventEmitter } from 'node:events'

/** catalogue: what every visitor sees · testimonials · orders: any conversation · order:{id} · user:{uid} · sales · settings */
export type Topic = 'catalogue' | 'testimonials' | 'orders' | 'sales' | 'settings' | `order:${string}` | `user:${string}`

export type Live = {
  /** Call after the commit, before the writer gets the answer. */
  changed: (...topics: Topic[]) => void
  onChange: (listener: (topics: Topic[]) => void) => () => void
  /** Ends the open connections of a session that has just ended. */
  sessionEnded: (sessionId: string) => void
  onSessionEnd: (listener: (sessionId: string) => void) => () => void
}

export function openLive(): Live {
  const emitter = new EventEmitter<{ change: [Topic[]]; 'session-end': [string] }>().setMaxListeners(0)
  return {
    changed: (...topics) => void emitter.emit('change', topics),
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
