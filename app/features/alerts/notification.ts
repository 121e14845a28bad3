/** Notifications of the browser, through a worker where there can be one: on phones `new Notification` only throws. */

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
export async function showNotification(title: string, url: string): Promise<void> {
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
export async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(WORKER)
  for (const shown of (await registration?.getNotifications({ tag: TAG })) ?? []) shown.close()
}
