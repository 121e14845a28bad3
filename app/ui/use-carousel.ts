/** Controls a row of slides with scroll snapping. The visitor changes the slide by swipe, link or keyboard, and the slides also advance automatically. */
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
} from 'react'
import { useHydrated } from './redirect-field.tsx'
import css from './carousel.module.css'
import { usePrefersReducedMotion } from './use-prefers-reduced-motion.ts'
import { formTexts } from './form-texts.ts'

/** A slide counts as out of sight if at most this fraction of its width is visible. */
const TOLERANCE = 0.02

const followTab = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const isHiddenNow = () => document.hidden
const isHiddenOnServer = () => false

/** `ids` are the HTML ids of the slides. The next slide is shown after `every` milliseconds. This time starts again when the visitor changes the slide. */
export function useCarousel({ ids, every }: { ids: string[]; every: number }) {
  const hasScript = useHydrated()
  const count = ids.length
  const row = useRef<HTMLDivElement>(null)
  /** `inView` contains the indexes of the first and the last slide that are at least partly visible. */
  const [{ id, at, inView }, setPlace] = useState({
    id: ids[0],
    at: 0,
    inView: [0, 0] as readonly [number, number],
  })
  const goTo = (index: number, seen = inView) =>
    setPlace({ id: ids[index], at: index, inView: seen })
  // When the list of slides changes, the same slide stays visible. If this slide was removed, the next slide is shown.
  const found = ids.indexOf(id ?? '')
  const place = found === -1 ? Math.max(0, Math.min(at, count - 1)) : found
  if (place !== at || id !== ids[place]) goTo(place, [place, place])

  const arrive = (index: number, seen: readonly [number, number]) => {
    // If the element with the focus is in a slide that is now out of sight, the focus moves to the row of slides.
    const focused = document.activeElement
    if (index !== at && focused !== row.current && row.current?.contains(focused))
      row.current.focus({ preventScroll: true })
    if (index !== at || seen[0] !== inView[0] || seen[1] !== inView[1]) goTo(index, seen)
  }
  const show = (index: number) => {
    scrollTo(row.current, index)
    arrive(index, [index, index])
  }
  const onScroll = () => {
    if (!row.current) return
    const scrolled = row.current.scrollLeft / row.current.clientWidth
    const seen = [Math.floor(scrolled + TOLERANCE), Math.ceil(scrolled - TOLERANCE)] as const
    arrive(Math.min(count - 1, Math.max(0, Math.round(scrolled))), seen)
  }
  const goByKey = (event: KeyboardEvent<HTMLElement>, focused?: string) => {
    const to = {
      ArrowLeft: (at + count - 1) % count,
      ArrowRight: (at + 1) % count,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    show(to)
    if (focused) event.currentTarget.querySelectorAll<HTMLElement>(focused)[to]?.focus()
  }
  const clock = useAutoplay({ count, at, every, turn: () => show((at + 1) % count) })

  // After the list has changed, the row scrolls to the current slide before the browser paints.
  const list = ids.join(' ')
  const scrollToPlace = useEffectEvent(() => scrollTo(row.current, at))
  useLayoutEffect(() => scrollToPlace(), [list])
  const scrollToAsked = useEffectEvent(() => {
    const linked = ids.findIndex((id) => `#${encodeURIComponent(id)}` === location.hash)
    if (linked > 0) scrollTo(row.current, linked)
  })
  // If the hash of the URL is the id of a slide, the row scrolls to this slide.
  useEffect(() => scrollToAsked(), [])

  return {
    ...clock,
    at,
    show,
    frame: { ...clock.holders, 'aria-roledescription': 'carousel' },
    // The row can get the focus, so that arrow keys scroll it.
    row: (className = '') => ({
      ref: row,
      className: `${css.row} ${className}`,
      onScroll,
      onKeyDown: (event: KeyboardEvent<HTMLElement>) =>
        event.target === event.currentTarget && goByKey(event),
      tabIndex: 0,
      'aria-live': clock.isTurning ? ('off' as const) : ('polite' as const),
    }),
    dots: { onKeyDown: (event: KeyboardEvent<HTMLElement>) => goByKey(event, 'a') },
    /** A slide that is out of sight is hidden from screen readers, but only with JavaScript. */
    slide(index: number, className = '') {
      const isAway = hasScript && (index < inView[0] || index > inView[1])
      return {
        id: ids[index],
        className: `${css.slide} ${className}`,
        role: 'group',
        'aria-roledescription': 'slide',
        'aria-label': formTexts.slide(index + 1, count),
        'aria-hidden': isAway || undefined,
        inert: isAway,
        'data-inactive': isAway || undefined,
      }
    },
    link: (index: number) => ({
      href: `#${ids[index]}`,
      onClick(event: React.MouseEvent) {
        event.preventDefault()
        show(index)
      },
    }),
  }
}

function scrollTo(row: HTMLElement | null, index: number): void {
  // In new browsers `scrollTo` returns a promise, which an effect must not return.
  void row?.scrollTo({ left: index * row.clientWidth, behavior: 'instant' })
}

type Given = { count: number; at: number; every: number; turn: () => void }

/** Advances the slides automatically. The slides pause while the pointer or the keyboard focus is on them, and while the tab is hidden. If the visitor prefers reduced motion, the slides do not start by themselves. */
function useAutoplay({ count, at, every, turn }: Given) {
  const [pressed, setPressed] = useState<'play' | 'pause' | null>(null)
  const [held, setHeld] = useState({ pointer: false, focus: false, reading: false })
  const wantsCalm = usePrefersReducedMotion()
  const isHidden = useSyncExternalStore(followTab, isHiddenNow, isHiddenOnServer)
  const isPaused = pressed === null ? wantsCalm : pressed === 'pause'
  const isTurning = count > 1 && !isPaused && !isHidden && !Object.values(held).includes(true)
  const turnNow = useEffectEvent(turn)
  useEffect(() => {
    if (!isTurning) return
    const timer = setTimeout(() => turnNow(), every)
    return () => clearTimeout(timer)
  }, [isTurning, at, every])
  const hold = (by: keyof typeof held, isHeld: boolean) =>
    setHeld((now) => (now[by] === isHeld ? now : { ...now, [by]: isHeld }))
  return {
    isPaused,
    isTurning,
    toggle: () => setPressed(isPaused ? 'play' : 'pause'),
    /** Pauses the slides while a visitor reads more about a slide, for example in a popover. */
    holdWhileReading: (isReading: boolean) => hold('reading', isReading),
    holders: {
      onPointerEnter: () => hold('pointer', true),
      onPointerLeave: () => hold('pointer', false),
      // Only focus by keyboard pauses the carousel, because a click must not stop it permanently.
      onFocus: (event: React.FocusEvent) => hold('focus', event.target.matches(':focus-visible')),
      onBlur: () => hold('focus', false),
    },
  }
}
