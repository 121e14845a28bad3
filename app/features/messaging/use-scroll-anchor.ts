/** Keeps the scroll position of the message log when messages are added, or when the reader opens or closes a fold. */
import { type RefObject, useEffect } from 'react'

/** The reader is at the end of the message log if at most this number of pixels is hidden below. */
const NEAR_END_PX = 40

export const isAwayFromEnd = (box: Element): boolean => box.scrollTop < -NEAR_END_PX

/**
 * Keeps the position of a reader who has scrolled up: when content is added below, the first visible message stays in its place.
 * Messages are the children of `list` with the attribute `data-sender`. Content that is added above needs no scrolling.
 * When the reader opens a fold, its summary stays in its place, or moves up as far as the content of the fold needs. [S-166]
 */
export function useScrollAnchor(
  box: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
): void {
  // A resize observer also notices when a line wraps, an image loads or the reader turns the phone.
  useEffect(() => {
    const [frame, messages] = [box.current!, list.current!]
    let held: { element: Element; place: number } | null = null
    let ownScroll: number | null = null
    const placeOf = (element: Element) =>
      frame.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom
    const hold = () => {
      // Browsers round scroll positions, so a reaction to this code's own scrolling would move the position a little each time.
      if (frame.scrollTop === ownScroll) return
      ownScroll = null
      const message = isAwayFromEnd(frame)
        ? firstVisible(messages.children, frame.getBoundingClientRect().top)
        : null
      held = message && { element: message, place: placeOf(message) }
    }
    const holdSummary = ({ target }: MouseEvent) => {
      const summary = (target as Element).closest('summary')
      if (summary) held = { element: summary, place: placeOf(summary) }
    }
    const keep = () => {
      // The message log has no size while the page shows the order instead.
      if (messages.offsetHeight === 0) return
      if (!held?.element.isConnected) return hold()
      const moved = placeOf(held.element) - held.place
      if (Math.abs(moved) >= 1) {
        frame.scrollTop -= moved
        ownScroll = frame.scrollTop
      }
      if (!held.element.matches('summary')) return
      // After a click on a summary, scrolls to the end of the fold, and then holds the first visible message again.
      const [fold, view] = [
        held.element.parentElement!.getBoundingClientRect(),
        frame.getBoundingClientRect(),
      ]
      frame.scrollTop += Math.max(0, Math.min(fold.bottom - view.bottom, fold.top - view.top))
      ownScroll = null
      hold()
    }
    const observer = new ResizeObserver(keep)
    observer.observe(messages)
    frame.addEventListener('scroll', hold, { passive: true })
    frame.addEventListener('click', holdSummary)
    return () => {
      observer.disconnect()
      frame.removeEventListener('scroll', hold)
      frame.removeEventListener('click', holdSummary)
    }
  }, [box, list])
}

function firstVisible(rows: HTMLCollection, top: number): Element | null {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (rows[middle]!.getBoundingClientRect().bottom <= top) from = middle + 1
    else to = middle
  }
  while (from < rows.length && !(rows[from] as HTMLElement).dataset.sender) from++
  return rows[from] ?? null
}
