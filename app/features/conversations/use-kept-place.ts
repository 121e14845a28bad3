/** Keeps what the reader looks at where it is, whatever grows below it. The box is laid out from its end, so what grows above moves nothing. */
import { useEffect, type RefObject } from 'react'

/** Nearer to the end than this counts as being there (pixels). */
const NEAR = 40

export const isAwayFromEnd = (box: Element): boolean => box.scrollTop < -NEAR

/** S-166: `list` holds the messages as its children, those with `data-sender` stay as long as they are shown. */
export function useKeptPlace(box: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>): void {
  // The layout is the browser's: it alone knows when a line breaks, a picture comes, a phone is turned.
  useEffect(() => {
    const [frame, messages] = [box.current!, list.current!]
    let held: { message: Element; below: number } | null = null
    const below = (message: Element) => messages.getBoundingClientRect().bottom - message.getBoundingClientRect().bottom
    const hold = () => {
      const message = isAwayFromEnd(frame) ? firstInSight(messages.children, frame.getBoundingClientRect().top) : null
      held = message && { message, below: below(message) }
    }
    const keep = () => {
      // Behind the order it has no size.
      if (messages.offsetHeight === 0) return
      if (held?.message.isConnected) frame.scrollTop -= below(held.message) - held.below
      hold()
    }
    const observer = new ResizeObserver(keep)
    observer.observe(messages)
    frame.addEventListener('scroll', hold, { passive: true })
    return () => {
      observer.disconnect()
      frame.removeEventListener('scroll', hold)
    }
  }, [box, list])
}

function firstInSight(rows: HTMLCollection, top: number): Element | null {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (rows[middle]!.getBoundingClientRect().bottom <= top) from = middle + 1
    else to = middle
  }
  while (from < rows.length && !(rows[from] as HTMLElement).dataset.sender) from++
  return rows[from] ?? null
}
