/** Tells of unread messages outside the page: in the title, and by sound and notification where this browser was asked to. */

/** Milliseconds in which the other tabs of this browser keep still, so that it tells once; a burst is one alert too. */
const ONCE = 2000

let last: number | null = null
let observer: MutationObserver | undefined

/** NAV-44, S-184: `url` is where the messages are; `saying` what the bell says. The first count after the page came is no news. */
export function tellUnread(unread: number, saying: string, url: string): void {
  countInTitle(unread)
  const isNews = last !== null && unread > last
  const isOver = last !== null && last > 0 && unread === 0
  last = unread
  if (isNews) void alertOnce(saying, url)
  if (isOver) void closeNotifications().catch(() => undefined)
}

export function tellNothing(): void {
  last = null
  countInTitle(0)
  observer?.disconnect()
  observer = undefined
}

/** "(3) Gallery". The title belongs to the pages; the number is put before whatever they write there. */
function countInTitle(unread: number): void {
  const write = () => {
    const bare = document.title.replace(/^\(\d+\) /, '')
    const wanted = unread > 0 ? `(${unread}) ${bare}` : bare
    if (document.title !== wanted) document.title = wanted
  }
  write()
  observer?.disconnect()
  observer = new MutationObserver(write)
  observer.observe(document.head, { subtree: true, childList: true, characterData: true })
}

async function alertOnce(saying: string, url: string): Promise<void> {
  const { sound, notification } = alertsOf(readStored())
  if (!sound && !notification) return
  const tell = async () => {
    if (notification && !document.hasFocus()) await showNotification(saying, url).catch(() => undefined)
    if (sound) await playSound().catch(() => undefined)
  }
  if (!navigator.locks) return tell()
  await navigator.locks.request('news', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    await tell()
    await new Promise((done) => setTimeout(done, ONCE))
  })
}

type Alerts = { sound: boolean; notification: boolean }

const KEY = 'alerts'
const listeners = new Set<() => void>()

/** Storage may be forbidden. */
export function readStored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** It may hold anything. */
export function alertsOf(stored: string | null): Alerts {
  try {
    const { sound, notification } = JSON.parse(stored ?? '{}') as Partial<Alerts>
    return { sound: sound === true, notification: notification === true }
  } catch {
    return { sound: false, notification: false }
  }
}

export function saveAlerts(changed: Partial<Alerts>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...alertsOf(readStored()), ...changed }))
  } catch {
    // Then it stays off: a browser that keeps nothing cannot remember a choice.
  }
  for (const listener of listeners) listener()
}

export function followAlerts(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

const WORKER = '/news-worker.js'
/** One at a time: a newer one takes the place of an older one. */
const TAG = 'messages'

export type Permission = 'granted' | 'denied' | 'unsupported'

const isSupported = () => 'Notification' in window && window.isSecureContext

/** S-184: only after a press. The worker does nothing but open the shop when a notification is pressed. */
export async function askForNotifications(): Promise<Permission> {
  if (!isSupported()) return 'unsupported'
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return 'denied'
  // Without a worker (a private window) the plain way may still do.
  await navigator.serviceWorker?.register(WORKER).catch(() => undefined)
  return 'granted'
}

export async function forgetNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(WORKER)
  if (registration?.active?.scriptURL.endsWith(WORKER)) await registration.unregister()
}

/** Asked anew each time: it may have been taken back in the browser's own settings. */
async function showNotification(title: string, url: string): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted') return
  const options = { body: 'Press to read and answer.', tag: TAG, renotify: true, icon: '/icon-192.png', data: { url } }
  const registration = await navigator.serviceWorker?.getRegistration(WORKER)
  if (registration?.active) return registration.showNotification(title, options)
  try {
    const shown = new Notification(title, options)
    shown.addEventListener('click', () => {
      window.focus()
      location.assign(url)
    })
  } catch {
    // No worker, and no other way here: the bell and the title still tell.
  }
}

/** What has been read needs no notification any more. */
async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(WORKER)
  for (const shown of (await registration?.getNotifications({ tag: TAG })) ?? []) shown.close()
}

const NOTES = [659.25, 880]
const LENGTH = 0.45

let context: AudioContext | undefined

/** Silent where the browser lets nothing sound before the page has been pressed. */
export async function playSound(): Promise<void> {
  context ??= new AudioContext()
  const isAwake = await Promise.race([context.resume().then(() => true), new Promise<false>((done) => setTimeout(() => done(false), 500))])
  if (!isAwake || context.state !== 'running') return
  const begin = context.currentTime
  for (const [index, note] of NOTES.entries()) {
    const at = begin + index * 0.14
    const tone = new OscillatorNode(context, { type: 'sine', frequency: note })
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, at)
    volume.gain.linearRampToValueAtTime(0.16, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + LENGTH)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + LENGTH)
  }
}
