/** Tells of unread messages outside the page: in the title, and by sound and notification where this browser was asked to. */
import { readAlerts } from './alerts.ts'
import { closeNotifications, showNotification } from './notification.ts'
import { playSound } from './sound.ts'

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

/** Nobody is signed in any more. */
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
  const { sound, notification } = readAlerts()
  if (!sound && !notification) return
  const tell = async () => {
    // Whoever looks at the shop sees it there.
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
