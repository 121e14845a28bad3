/** Shows the number of unread messages in the page title. A new message also causes a sound or a notification if the user has turned on sounds or notifications. */

/** After a sound or a notification, no browser tab plays a sound or shows a notification for this number of milliseconds. */
const DEDUPLICATE_MS = 2000

let lastCount: number | null = null
let observer: MutationObserver | undefined

/** Notifies the user when the number of unread messages rises. The first number after the page was loaded causes no notification. [NAV-44, S-184] */
export function notifyUnread(unread: number, text: string, url: string): void {
  countInTitle(unread)
  const isNews = lastCount !== null && unread > lastCount
  const isOver = lastCount !== null && lastCount > 0 && unread === 0
  lastCount = unread
  if (isNews) void notifyOnce(text, url)
  if (isOver) void closeNotifications().catch(() => undefined)
}

export function clearUnread(): void {
  lastCount = null
  countInTitle(0)
  observer?.disconnect()
  observer = undefined
}

/** Adds the number of unread messages to the page title, such as "(3) Gallery". Adds the number again when other code changes the title. */
function countInTitle(unread: number): void {
  const write = () => {
    const bare = document.title.replace(/^\(\d+\) /, '')
    const title = unread > 0 ? `(${unread}) ${bare}` : bare
    if (document.title !== title) document.title = title
  }
  write()
  observer?.disconnect()
  observer = new MutationObserver(write)
  observer.observe(document.head, { subtree: true, childList: true, characterData: true })
}

async function notifyOnce(text: string, url: string): Promise<void> {
  const { sound, notification } = parseSettings(readStoredSettings())
  if (!sound && !notification) return
  const notify = async () => {
    if (notification && !document.hasFocus())
      await showNotification(text, url).catch(() => undefined)
    if (sound) await playSound().catch(() => undefined)
  }
  if (!navigator.locks) return notify()
  await navigator.locks.request('news', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    await notify()
    await new Promise((done) => setTimeout(done, DEDUPLICATE_MS))
  })
}

type NotificationSettings = { sound: boolean; notification: boolean }

const KEY = 'alerts'
const listeners = new Set<() => void>()

/** Returns the stored settings as JSON. Returns null if nothing is stored, or if the browser blocks access to its storage. */
export function readStoredSettings(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** Reads the stored settings, and ignores invalid values. */
export function parseSettings(stored: string | null): NotificationSettings {
  try {
    const { sound, notification } = JSON.parse(stored ?? '{}') as Partial<NotificationSettings>
    return { sound: sound === true, notification: notification === true }
  } catch {
    return { sound: false, notification: false }
  }
}

export function saveNotificationSettings(changed: Partial<NotificationSettings>): void {
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify({ ...parseSettings(readStoredSettings()), ...changed }),
    )
  } catch {
    // If the browser blocks access to its storage, notifications stay off.
  }
  for (const listener of listeners) listener()
}

export function subscribeToSettings(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

const WORKER = '/news-worker.js'
/** A new notification replaces an older notification with the same tag. */
const TAG = 'messages'

type Permission = 'granted' | 'denied' | 'unsupported'

const isSupported = () => 'Notification' in window && window.isSecureContext

/** Asks the user for the permission to show notifications. Browsers allow this question only after a click. The service worker opens the shop when the user clicks a notification. [S-184] */
export async function askForNotifications(): Promise<Permission> {
  if (!isSupported()) return 'unsupported'
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return 'denied'
  // In a private window, a browser may refuse the service worker, but still show notifications.
  await navigator.serviceWorker?.register(WORKER).catch(() => undefined)
  return 'granted'
}

export async function disableNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(WORKER)
  if (registration?.active?.scriptURL.endsWith(WORKER)) await registration.unregister()
}

/** Returns the URL of the shop's icon, which may be the owner's logo. */
const shopIcon = () =>
  document.querySelector<HTMLLinkElement>('link[rel=apple-touch-icon]')?.href ?? '/icon-192.png'

/** Shows a notification, unless the user has revoked the permission. */
async function showNotification(title: string, url: string): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted') return
  const options = {
    body: 'Press to read and answer.',
    tag: TAG,
    renotify: true,
    icon: shopIcon(),
    data: { url },
  }
  const registration = await navigator.serviceWorker?.getRegistration(WORKER)
  if (registration?.active) return registration.showNotification(title, options)
  try {
    const shown = new Notification(title, options)
    shown.addEventListener('click', () => {
      window.focus()
      location.assign(url)
    })
  } catch {
    // Even if the notification fails, the bell and the page title show the number of unread messages.
  }
}

async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(WORKER)
  for (const shown of (await registration?.getNotifications({ tag: TAG })) ?? []) shown.close()
}

const NOTES = [659.25, 880]
const LENGTH = 0.45

let context: AudioContext | undefined

/** Plays the sound for a new message. The browser plays no sound until the user has interacted with the page. */
export async function playSound(): Promise<void> {
  context ??= new AudioContext()
  const isAwake = await Promise.race([
    context.resume().then(() => true),
    new Promise<false>((done) => setTimeout(() => done(false), 500)),
  ])
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
