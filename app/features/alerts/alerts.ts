/** How this browser tells of news: kept in it alone, off until somebody switches it on. */

export type Alerts = { sound: boolean; notification: boolean }

const KEY = 'alerts'
const off: Alerts = { sound: false, notification: false }
const listeners = new Set<() => void>()
let last: { stored: string | null; read: Alerts } = { stored: null, read: off }

/** Storage may be forbidden, or hold anything. */
function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function parse(text: string): Alerts {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found !== 'object' || found === null) return off
    return { sound: 'sound' in found && found.sound === true, notification: 'notification' in found && found.notification === true }
  } catch {
    return off
  }
}

/** The same object as long as nothing changes, as a store must give it. */
export function readAlerts(): Alerts {
  const text = stored()
  if (text !== last.stored) last = { stored: text, read: text === null ? off : parse(text) }
  return last.read
}
export const readNoAlerts = (): Alerts => off

export function saveAlerts(changed: Partial<Alerts>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readAlerts(), ...changed }))
  } catch {
    // Then it stays off: a browser that keeps nothing cannot remember a choice.
  }
  for (const listener of listeners) listener()
}

/** Other tabs of this browser as well. */
export function followAlerts(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
