/** Slides beside each other, one in view: a scroll-snapping row that works by swipe, by links, by keys and without JavaScript, and turns by itself. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import { useHasScript } from './back-field.tsx'
import css from './slides.module.css'
import { useCalm } from './use-calm.ts'

/** Share of a slide's width that scrolling may be off. */
const TOLERANCE = 0.02

const followTab = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const isHiddenNow = () => document.hidden
const isHiddenOnServer = () => false

/** `ids` of the slides: links may lead to them. `every`: milliseconds between turns; a step by hand starts them anew. */
export function useSlides({ ids, every }: { ids: string[]; every: number }) {
  const hasScript = useHasScript()
  const count = ids.length
  const row = useRef<HTMLDivElement>(null)
  /** `inView`: the first and the last slide that are partly in view, while somebody swipes */
  const [{ id, at, inView }, setPlace] = useState({ id: ids[0], at: 0, inView: [0, 0] as readonly [number, number] })
  const goTo = (index: number, seen = inView) => setPlace({ id: ids[index], at: index, inView: seen })
  // The slide in view stays in view when the list changes; if it is gone, the next one takes its place.
  const found = ids.indexOf(id ?? '')
  const place = found === -1 ? Math.max(0, Math.min(at, count - 1)) : found
  if (place !== at || id !== ids[place]) goTo(place, [place, place])

  const arrive = (index: number, seen: readonly [number, number]) => {
    // The slide that goes out of view takes no focus with it.
    const focused = document.activeElement
    if (index !== at && focused !== row.current && row.current?.contains(focused)) row.current.focus({ preventScroll: true })
    if (index !== at || seen[0] !== inView[0] || seen[1] !== inView[1]) goTo(index, seen)
  }
  /** Immediately: the change is a fade. */
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
    const to = { ArrowLeft: (at + count - 1) % count, ArrowRight: (at + 1) % count, Home: 0, End: count - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    show(to)
    if (focused) event.currentTarget.querySelectorAll<HTMLElement>(focused)[to]?.focus()
  }
  const clock = useClock({ count, at, every, turn: () => show((at + 1) % count) })

  // A row whose list has changed is at its place before it is painted.
  const list = ids.join(' ')
  const scrollToPlace = useEffectEvent(() => scrollTo(row.current, at))
  useLayoutEffect(() => scrollToPlace(), [list])
  const scrollToAsked = useEffectEvent(() => {
    const asked = ids.findIndex((id) => `#${encodeURIComponent(id)}` === location.hash)
    if (asked > 0) scrollTo(row.current, asked)
  })
  // The address may name a slide.
  useEffect(() => scrollToAsked(), [])

  return {
    ...clock,
    at,
    show,
    frame: { ...clock.holders, 'aria-roledescription': 'carousel' },
    // Scrolled by the arrow keys too where a slide holds nothing that takes the focus.
    row: (className = '') => ({
      ref: row,
      className: `${css.row} ${className}`,
      onScroll,
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => event.target === event.currentTarget && goByKey(event),
      tabIndex: 0,
      'aria-live': clock.isTurning ? ('off' as const) : ('polite' as const),
    }),
    dots: { onKeyDown: (event: KeyboardEvent<HTMLElement>) => goByKey(event, 'a') },
    /** Without JavaScript nothing is hidden. */
    slide(index: number, className = '') {
      const isAway = hasScript && (index < inView[0] || index > inView[1])
      return {
        id: ids[index],
        className: `${css.slide} ${className}`,
        role: 'group',
        'aria-roledescription': 'slide',
        'aria-label': `${index + 1} of ${count}`,
        'aria-hidden': isAway || undefined,
        inert: isAway,
        'data-away': isAway || undefined,
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
  // New browsers return a promise, which is no way to clean up an effect.
  void row?.scrollTo({ left: index * row.clientWidth, behavior: 'instant' })
}

type Given = { count: number; at: number; every: number; turn: () => void }

/** Stands still under pointer or focus, in a hidden tab, when paused, and for people who want no motion. */
function useClock({ count, at, every, turn }: Given) {
  const [pressed, setPressed] = useState<'play' | 'pause' | null>(null)
  const [held, setHeld] = useState({ pointer: false, focus: false, reading: false })
  const wantsCalm = useCalm()
  const isHidden = useSyncExternalStore(followTab, isHiddenNow, isHiddenOnServer)
  const isPaused = pressed === null ? wantsCalm : pressed === 'pause'
  const isTurning = count > 1 && !isPaused && !isHidden && !Object.values(held).includes(true)
  const turnNow = useEffectEvent(turn)
  useEffect(() => {
    if (!isTurning) return
    const timer = setTimeout(() => turnNow(), every)
    return () => clearTimeout(timer)
  }, [isTurning, at, every])
  const hold = (by: keyof typeof held, isHeld: boolean) => setHeld((now) => (now[by] === isHeld ? now : { ...now, [by]: isHeld }))
  return {
    isPaused,
    isTurning,
    toggle: () => setPressed(isPaused ? 'play' : 'pause'),
    /** while something of it is being read elsewhere, as in a popover */
    holdWhileReading: (isReading: boolean) => hold('reading', isReading),
    holders: {
      onPointerEnter: () => hold('pointer', true),
      onPointerLeave: () => hold('pointer', false),
      // Only the keyboard's focus holds: a press with the pointer must not stop the turning for good.
      onFocus: (event: React.FocusEvent) => hold('focus', event.target.matches(':focus-visible')),
      onBlur: () => hold('focus', false),
    },
  }
}
