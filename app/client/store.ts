import { useSyncExternalStore } from 'react'

export function createStore<State>(initial: State) {
  const listeners = new Set<() => void>()
  let state = initial
  return {
    read: () => state,
    write(next: State) {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

type Store<State> = Pick<ReturnType<typeof createStore<State>>, 'read' | 'subscribe'>

/** `store` may be null on the server. */
export const useStore = <State>(store: Store<State> | null, initial: State) =>
  useSyncExternalStore(
    store?.subscribe ?? (() => () => {}),
    store?.read ?? (() => initial),
    () => initial,
  )
