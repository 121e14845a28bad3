/**
 * A row that is removed, a button that is replaced or a page that goes takes the focus along, and the browser lets it fall to the top of the
 * document. Here it goes on where hands and ears expect it: the next row, what has come in the place, or the heading above (S-276).
 */
import { useEffect } from 'react'

/** Where the focus was, from the element itself outwards; `nth`: which one it was among those of its row. */
type Place = { element: Element; nth: number; next: Element | null; previous: Element | null }

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled, [type=hidden]), select, textarea, summary, [tabindex="0"]'
const ROWS = 'li, tr, article'
const HEADINGS = 'h1, h2, h3'

const isThere = (element: Element) =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]')
const isUsable = (element: Element) => isThere(element) && !element.matches(':disabled')
const isSeen = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}
const within = (element: Element, wanted = FOCUSABLE) => [...element.querySelectorAll<HTMLElement>(wanted)].filter(isThere)

export function useKeptFocus(): void {
  useEffect(() => {
    let places: Place[] = []
    let address = ''
    let isInSight = true
    const remember = ({ target }: FocusEvent) => {
      places = target instanceof Element && target !== document.body ? placesOf(target) : []
      address = location.pathname
      isInSight = true
    }
    /** Whoever reads on elsewhere stays there. */
    const scrolled = () => void (places[0] && isThere(places[0].element) && (isInSight = isSeen(places[0].element)))
    /** Put away by the person, as by "Done" above a phone's keys: what goes by itself is gone, disabled or elsewhere right after. */
    const left = ({ target, relatedTarget }: FocusEvent) => {
      const [last] = places
      if (relatedTarget || !last || last.element !== target || !document.hasFocus()) return
      const stood = placesOf(last.element)
      queueMicrotask(() => {
        const stands = placesOf(last.element)
        const isStill =
          isUsable(last.element) && stood.every(({ element, next }, at) => stands[at]?.element === element && stands[at].next === next)
        if (isStill && places[0] === last && document.activeElement === document.body) forget()
      })
    }
    const forget = () => void (places = [])
    /** Whoever presses beside everything wants it nowhere; a second press on the same comes with no new focus. */
    const pressed = ({ target }: PointerEvent) => void ((target instanceof Node && places[0]?.element.contains(target)) || forget())
    const look = () => {
      const [last] = places
      if (!last || (document.activeElement !== document.body && document.activeElement !== last.element)) return
      if (isUsable(last.element)) return last.element === document.activeElement || focus(last.element, true)
      const to = goesOnAt(places)
      places = []
      if (to) focus(to, !isInSight || address !== location.pathname)
    }
    /** A key that is held must not press what the focus comes to. */
    const pressOnce = (event: KeyboardEvent) => {
      if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) event.preventDefault()
    }
    const watched = new MutationObserver(look)
    watched.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'inert', 'open'] })
    const leaving = new AbortController()
    const first = { capture: true, signal: leaving.signal }
    document.addEventListener('focusin', remember, { signal: leaving.signal })
    document.addEventListener('focusout', left, first)
    document.addEventListener('scroll', scrolled, { ...first, passive: true })
    document.addEventListener('pointerdown', pressed, first)
    document.addEventListener('keydown', pressOnce, first)
    return () => {
      watched.disconnect()
      leaving.abort()
    }
  }, [])
}

function placesOf(target: Element): Place[] {
  const places: Place[] = []
  for (let element: Element | null = target; element && element !== document.body; element = element.parentElement)
    places.push({
      element,
      nth: element.matches(ROWS) ? within(element).indexOf(target as HTMLElement) : -1,
      next: element.nextElementSibling,
      previous: element.previousElementSibling,
    })
  return places
}

function goesOnAt(places: Place[]): HTMLElement | undefined {
  for (const [index, { element }] of places.entries()) {
    if (index === 0 || !isThere(element)) continue
    const gone = places[index - 1]!
    return beside(gone) ?? headingAbove(element)
  }
  return undefined
}

/** In the row after it, or before it, the button of the same kind; between other neighbours the nearest; of a section that went the heading before. */
function beside({ element, nth, next, previous }: Place): HTMLElement | undefined {
  const isSection = element.matches('section')
  const after = [next, 'nextElementSibling', 0] as const
  const before = [previous, 'previousElementSibling', -1] as const
  for (const [neighbour, step, edge] of isSection ? [before, after] : [after, before])
    for (let one: Element | null = neighbour; one?.isConnected; one = one[step]) {
      const found = one.matches(FOCUSABLE) && isThere(one) ? [one as HTMLElement] : within(one, isSection ? HEADINGS : FOCUSABLE)
      const wanted = found[nth] ?? found.at(edge)
      if (wanted) return wanted
    }
  return undefined
}

/** What has come in the place of what went, where there is no heading for it. */
function headingAbove(from: Element): HTMLElement | undefined {
  for (let place: Element | null = from; place; place = place.parentElement) {
    const [first] = place.matches('form, fieldset, [role=group]') ? within(place) : []
    const to = first ?? within(place, HEADINGS)[0]
    if (to) return to
  }
  return undefined
}

/** `isStill`: how far a new page is scrolled is the browser's to know, and somebody who has scrolled away is not brought back. */
function focus(element: Element, isStill: boolean) {
  if (!(element instanceof HTMLElement)) return
  if (!element.matches(FOCUSABLE)) element.tabIndex = -1
  element.focus({ preventScroll: isStill })
}
