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
    let held: { message: Element; place: number } | null = null
    let ownScroll: number | null = null
    const placeOf = (message: Element) => frame.getBoundingClientRect().bottom - message.getBoundingClientRect().bottom
    const hold = () => {
      // Its own steps are whole pixels: holding what came of them would drift.
      if (frame.scrollTop === ownScroll) return
      ownScroll = null
      const message = isAwayFromEnd(frame) ? firstInSight(messages.children, frame.getBoundingClientRect().top) : null
      held = message && { message, place: placeOf(message) }
    }
    const keep = () => {
      // Behind the order it has no size.
      if (messages.offsetHeight === 0) return
      if (!held?.message.isConnected) return hold()
      const moved = placeOf(held.message) - held.place
      if (Math.abs(moved) < 1) return
      frame.scrollTop -= moved
      ownScroll = frame.scrollTop
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
