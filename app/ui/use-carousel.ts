import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react'
import { useHydrated } from './redirect-field.tsx'
import css from './carousel.module.css'
import { usePrefersReducedMotion } from './use-prefers-reduced-motion.ts'
import { carouselTexts } from './texts.ts'

const TOLERANCE = 0.02

/** `every` is in milliseconds. */
export function useCarousel({ ids, every }: { ids: string[]; every: number }) {
  const hasScript = useHydrated()
  const count = ids.length
  const row = useRef<HTMLDivElement>(null)
  const { index: current, inView, arrive } = useSlideInView(ids, row)
  const show = (index: number) => {
    scrollTo(row.current, index)
    arrive(index, [index, index])
  }
  const goByKey = (event: KeyboardEvent<HTMLElement>, focused?: string) => {
    const index = {
      ArrowLeft: (current + count - 1) % count,
      ArrowRight: (current + 1) % count,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (index === undefined) return
    event.preventDefault()
    show(index)
    if (focused) event.currentTarget.querySelectorAll<HTMLElement>(focused)[index]?.focus()
  }
  const { holders, ...autoplay } = useAutoplay(count, current, every, () =>
    show((current + 1) % count),
  )
  return {
    ...autoplay,
    at: current,
    show,
    frame: { ...holders, 'aria-roledescription': 'carousel' },
    row: (className = '') => ({
      ref: row,
      className: `${css.row} ${className}`,
      onScroll() {
        if (!row.current) return
        const scrolled = row.current.scrollLeft / row.current.clientWidth
        arrive(Math.min(count - 1, Math.max(0, Math.round(scrolled))), [
          Math.floor(scrolled + TOLERANCE),
          Math.ceil(scrolled - TOLERANCE),
        ])
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) =>
        event.target === event.currentTarget && goByKey(event),
      tabIndex: 0,
      'aria-live': autoplay.isTurning ? ('off' as const) : ('polite' as const),
    }),
    dots: { onKeyDown: (event: KeyboardEvent<HTMLElement>) => goByKey(event, 'a') },
    slide(index: number, className = '') {
      const isAway = hasScript && (index < inView[0] || index > inView[1])
      return {
        id: ids[index],
        className: `${css.slide} ${className}`,
        role: 'group',
        'aria-roledescription': 'slide',
        'aria-label': carouselTexts.slide(index + 1, count),
        'aria-hidden': isAway || undefined,
        inert: isAway,
        'data-inactive': isAway || undefined,
      }
    },
    link: (index: number) => ({
      href: `#${ids[index]}`,
      onClick(event: MouseEvent) {
        event.preventDefault()
        show(index)
      },
    }),
  }
}

type SlideRange = readonly [first: number, last: number]

function useSlideInView(ids: string[], row: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ id: ids[0], index: 0, inView: [0, 0] as SlideRange })
  const goTo = (index: number, inView: SlideRange) => setPlace({ id: ids[index], index, inView })
  const idIndex = ids.indexOf(place.id ?? '')
  const index = idIndex === -1 ? Math.max(0, Math.min(place.index, ids.length - 1)) : idIndex
  if (index !== place.index || place.id !== ids[index]) goTo(index, [index, index])

  const scrollToCurrent = useEffectEvent(() => scrollTo(row.current, place.index))
  const list = ids.join(' ')
  useLayoutEffect(() => scrollToCurrent(), [list])
  const scrollToHash = useEffectEvent(() => {
    const linked = ids.findIndex((id) => `#${encodeURIComponent(id)}` === location.hash)
    if (linked > 0) scrollTo(row.current, linked)
  })
  useEffect(() => scrollToHash(), [])

  return {
    index: place.index,
    inView: place.inView,
    arrive(next: number, inView: SlideRange) {
      const isMoved = next !== place.index
      const focused = document.activeElement
      if (isMoved && focused !== row.current && row.current?.contains(focused)) {
        row.current.focus({ preventScroll: true })
      }
      if (isMoved || inView.join() !== place.inView.join()) goTo(next, inView)
    },
  }
}

function scrollTo(row: HTMLElement | null, index: number) {
  // In new browsers `scrollTo` returns a promise, which an effect must not return.
  void row?.scrollTo({ left: index * row.clientWidth, behavior: 'instant' })
}

function useAutoplay(count: number, index: number, every: number, turn: () => void) {
  const [pressed, setPressed] = useState<'play' | 'pause' | null>(null)
  const [holds, setHolds] = useState({ pointer: false, focus: false, reading: false })
  const wantsCalm = usePrefersReducedMotion()
  const isHidden = useSyncExternalStore(
    followTab,
    () => document.hidden,
    () => false,
  )
  const isPaused = pressed === null ? wantsCalm : pressed === 'pause'
  const isTurning = count > 1 && !isPaused && !isHidden && !Object.values(holds).includes(true)
  const turnNow = useEffectEvent(turn)
  useEffect(() => {
    if (!isTurning) return
    const timer = setTimeout(() => turnNow(), every)
    return () => clearTimeout(timer)
  }, [isTurning, index, every])
  const hold = (by: keyof typeof holds, isHeld: boolean) =>
    setHolds((now) => (now[by] === isHeld ? now : { ...now, [by]: isHeld }))
  return {
    isPaused,
    isTurning,
    toggle: () => setPressed(isPaused ? 'play' : 'pause'),
    holdWhileReading: (isReading: boolean) => hold('reading', isReading),
    holders: {
      onPointerEnter: () => hold('pointer', true),
      onPointerLeave: () => hold('pointer', false),
      // Reacts only to keyboard focus, because a click must not stop the slides permanently.
      onFocus: (event: FocusEvent) => hold('focus', event.target.matches(':focus-visible')),
      onBlur: () => hold('focus', false),
    },
  }
}

const followTab = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
