import { type RefObject, useEffect } from 'react'

const NEAR_END_PX = 40

export const isAwayFromEnd = (box: Element) => box.scrollTop < -NEAR_END_PX

/** Content that is added below does not move what a reader sees. [S-166] */
export function useScrollAnchor(
  box: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
) {
  // A resize observer also notices wrapped lines, images and a turned phone.
  useEffect(() => {
    const frame = box.current!
    const messages = list.current!
    let anchor: { element: Element; place: number } | null = null
    let ownScroll: number | null = null
    const placeOf = (element: Element) =>
      frame.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom
    const hold = () => {
      // Ignores the hook's own scrolling: its rounded positions would make the log creep.
      if (frame.scrollTop === ownScroll) return
      // A scroll event may arrive between the click on a summary and its opening.
      if (anchor?.element.matches('summary')) return
      ownScroll = null
      const message = isAwayFromEnd(frame)
        ? firstVisible(messages.children, frame.getBoundingClientRect().top)
        : null
      anchor = message && { element: message, place: placeOf(message) }
    }
    const holdSummary = ({ target }: MouseEvent) => {
      const summary = (target as Element).closest('summary')
      if (summary) anchor = { element: summary, place: placeOf(summary) }
    }
    const keep = () => {
      // The log is hidden while the page shows the order.
      if (messages.offsetHeight === 0) return
      if (!anchor?.element.isConnected) return hold()
      const shift = placeOf(anchor.element) - anchor.place
      if (Math.abs(shift) >= 1) {
        frame.scrollTop -= shift
        ownScroll = frame.scrollTop
      }
      if (!anchor.element.matches('summary')) return
      // The log shows the opened fold, then holds the first visible message again.
      const fold = anchor.element.parentElement!.getBoundingClientRect()
      const view = frame.getBoundingClientRect()
      frame.scrollTop += Math.max(0, Math.min(fold.bottom - view.bottom, fold.top - view.top))
      ownScroll = null
      anchor = null
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

function firstVisible(rows: HTMLCollection, top: number) {
  let from = 0
  let to = rows.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (rows[middle]!.getBoundingClientRect().bottom <= top) from = middle + 1
    else to = middle
  }
  while (from < rows.length && !(rows[from] as HTMLElement).dataset.sender) from++
  return rows[from] ?? null
}
