/** The window of a provider, and what is heard of it. */
import { channelOf, type Told } from './provider-try.ts'

export type Popup = {
  /** true: it is there still, and in front now */
  bringBack: () => boolean
  listen: (hear: (told: Told | 'closed') => void) => () => void
}

const WIDTH = 500
const HEIGHT = 650
/** How often it is looked whether the window is still there: browsers do not tell. */
const LOOK = 400

/**
 * Must be called in the press itself, before the form goes out: only then may a window be opened. null: no room, or not allowed; the form then
 * takes the whole page with it.
 */
export function openPopup(form: HTMLFormElement): Popup | null {
  const field = form.elements.namedItem('popup') as HTMLInputElement
  field.value = ''
  form.target = ''
  if (!window.matchMedia('(min-width: 769px)').matches || !('BroadcastChannel' in window)) return null
  const id = crypto.randomUUID()
  const [left, top] = [window.screenX + (window.outerWidth - WIDTH) / 2, window.screenY + (window.outerHeight - HEIGHT) / 2]
  const opened = window.open('', id, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`)
  if (!opened) return null
  field.value = id
  form.target = id
  return {
    bringBack() {
      opened.focus()
      return !opened.closed
    },
    listen(hear) {
      const channel = new BroadcastChannel(channelOf(id))
      channel.onmessage = ({ data }: MessageEvent<Told>) => {
        opened.close()
        hear(data)
      }
      const clock = setInterval(() => {
        if (!opened.closed) return
        clearInterval(clock)
        hear('closed')
      }, LOOK)
      return () => {
        clearInterval(clock)
        channel.close()
      }
    },
  }
}
