import { tryStorage } from '#client/drafts.ts'

const DEDUPLICATE_MS = 2000

let lastCount: number | null = null
let observer: MutationObserver | undefined

/** The first number after the page was loaded causes no notification. [NAV-44] */
export function notifyUnread(unread: number, text: string, url: string) {
  countInTitle(unread)
  const isNews = lastCount !== null && unread > lastCount
  const isOver = lastCount !== null && lastCount > 0 && unread === 0
  lastCount = unread
  if (isNews) void notifyOnce(text, url)
  if (isOver) void closeNotifications().catch(() => undefined)
}

export function clearUnread() {
  lastCount = null
  countInTitle(0)
  observer?.disconnect()
  observer = undefined
}

function countInTitle(unread: number) {
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

async function notifyOnce(text: string, url: string) {
  const { sound, notification } = parseSettings(readStoredSettings())
  if (!sound && !notification) return
  const notify = async () => {
    if (notification && !document.hasFocus()) {
      await showNotification(text, url).catch(() => undefined)
    }
    if (sound) await playSound().catch(() => undefined)
  }
  if (!navigator.locks) return notify()
  await navigator.locks.request('news', { ifAvailable: true }, async (lock) => {
    if (!lock) return
    await notify()
    await new Promise((resolve) => setTimeout(resolve, DEDUPLICATE_MS))
  })
}

type NotificationSettings = { sound: boolean; notification: boolean }

const KEY = 'alerts'
const listeners = new Set<() => void>()

export const readStoredSettings = () => tryStorage(() => localStorage.getItem(KEY))

export function parseSettings(text: string | null) {
  const settings = tryStorage(() => JSON.parse(text ?? '{}') as Partial<NotificationSettings>)
  return { sound: settings?.sound === true, notification: settings?.notification === true }
}

export function saveNotificationSettings(changes: Partial<NotificationSettings>) {
  const settings = { ...parseSettings(readStoredSettings()), ...changes }
  tryStorage(() => localStorage.setItem(KEY, JSON.stringify(settings)))
  for (const listener of listeners) listener()
}

export function subscribeToSettings(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

const WORKER = '/news-worker.js'
const TAG = 'messages'

const findRegistration = async () => navigator.serviceWorker?.getRegistration(WORKER)

const isSupported = () => 'Notification' in window && window.isSecureContext

/** Call it after a click, or browsers do not ask. [S-184] */
export async function askForNotifications() {
  if (!isSupported()) return 'unsupported'
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return 'denied'
  // A private window may refuse the worker, but still show notifications.
  await navigator.serviceWorker?.register(WORKER).catch(() => undefined)
  return 'granted'
}

export async function disableNotifications() {
  const registration = await findRegistration()
  if (registration?.active?.scriptURL.endsWith(WORKER)) await registration.unregister()
}

const shopIcon = () =>
  document.querySelector<HTMLLinkElement>('link[rel=apple-touch-icon]')?.href ?? '/icon-192.png'

async function showNotification(title: string, url: string) {
  if (!isSupported() || Notification.permission !== 'granted') return
  const options = {
    body: 'Press to read and answer.',
    tag: TAG,
    renotify: true,
    icon: shopIcon(),
    data: { url },
  }
  const registration = await findRegistration()
  if (registration?.active) return registration.showNotification(title, options)
  try {
    new Notification(title, options).addEventListener('click', () => {
      window.focus()
      location.assign(url)
    })
  } catch {}
}

async function closeNotifications() {
  const registration = await findRegistration()
  const notifications = (await registration?.getNotifications({ tag: TAG })) ?? []
  for (const notification of notifications) notification.close()
}

const NOTES = [659.25, 880]
const LENGTH = 0.45

let context: AudioContext | undefined

export async function playSound() {
  context ??= new AudioContext()
  const isAwake = await Promise.race([
    context.resume().then(() => true),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), 500)),
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
