export type Toast = { key: number; text: string }

let toasts: readonly Toast[] = []
let nextKey = 1
const listeners = new Set<() => void>()

function set(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

/** If a toast with this text is already visible, a new toast replaces the visible toast, so that no text appears twice. */
export const showToast = (text: string): void =>
  set([...toasts.filter((toast) => toast.text !== text), { key: nextKey++, text }])
export const closeToast = (key: number): void => set(toasts.filter((toast) => toast.key !== key))

export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  read: () => toasts,
  readOnServer: () => none,
}
const none: readonly Toast[] = []
