/**
 * Slides beside each other, one in view: a scroll-snapping row that works by swipe, by links and without script, made operable and
 * announced by the carousel library. The clock is ours, since the library's own stops for good after a step by hand (decision 008).
 */
import * as carousel from '@zag-js/carousel'
import { normalizeProps, useMachine } from '@zag-js/react'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { useHasScript } from './back-field.tsx'
import { useTurning, type Pressing } from './use-turning.ts'

type Given = {
  /** of the slides; links may lead to them */
  ids: string[]
  every: number
  first?: number
  pressing?: Pressing
  onTurn?: (to: number) => void
}

export function useSlides({ ids, every, first = 0, pressing, onTurn }: Given) {
  const hasScript = useHasScript()
  const row = useRef<HTMLDivElement>(null)
  const service = useMachine(carousel.machine, {
    id: useId(),
    slideCount: ids.length,
    defaultPage: first,
    loop: true,
    ids: { item: (index) => ids[index]!, indicator: (index) => `${ids[index]}-dot` },
    onPageChange: ({ page }) => {
      // The slide that goes out of view takes no focus with it.
      const focused = document.activeElement
      if (focused !== row.current && row.current?.contains(focused)) row.current.focus({ preventScroll: true })
      onTurn?.(page)
    },
  })
  const slides = carousel.connect(service, normalizeProps)
  const { page: at } = slides
  /** At once: the change is a fade. */
  const show = (index: number) => slides.scrollTo(index, true)
  const clock = useTurning({ count: ids.length, at, every, turn: () => slides.scrollNext(true), pressing })

  // A row that opens further on is there before it is painted.
  useLayoutEffect(() => {
    // In new browsers scrolling returns a promise, which is no way to clean up.
    void row.current?.scrollTo({ left: first * row.current.clientWidth, behavior: 'instant' })
  }, [first])
  const showAsked = useEffectEvent(() => {
    const asked = ids.indexOf(decodeHash(location.hash))
    if (asked > 0) show(asked)
  })
  // The address may name a slide; the library opens its own first, and listens only then.
  useEffect(() => {
    const frame = requestAnimationFrame(() => showAsked())
    return () => cancelAnimationFrame(frame)
  }, [])

  // Until the library has looked, the slide that it opened with counts.
  const isKnown = ids.some((_, index) => slides.isInView(index))
  const isInView = (index: number) => (isKnown ? slides.isInView(index) : index === at)
  // On a slow machine the library scrolls once before it has measured its slides, and would stay at the first one.
  const isAstray = isKnown && !slides.isInView(at) && !service.state.matches('userScroll')
  useEffect(() => {
    if (isAstray) void row.current?.scrollTo({ left: at * row.current.clientWidth, behavior: 'instant' })
  }, [isAstray, at])
  return {
    ...clock,
    at,
    show,
    frame: { ...slides.getRootProps(), ...clock.holders },
    // Scrolled by the arrow keys too where a slide holds nothing that takes the focus.
    row: { ...slides.getItemGroupProps(), ref: row, tabIndex: 0, 'aria-live': clock.isTurning ? ('off' as const) : ('polite' as const) },
    dots: slides.getIndicatorGroupProps(),
    /** Without script nothing is hidden from anybody. */
    slide(index: number) {
      const isAway = hasScript && !isInView(index)
      return { ...slides.getItemProps({ index }), 'aria-hidden': isAway || undefined, inert: isAway, 'data-away': isAway || undefined }
    },
    /** for a link that leads to a slide */
    link: (index: number) => ({
      href: `#${ids[index]}`,
      onClick(event: React.MouseEvent) {
        event.preventDefault()
        show(index)
      },
    }),
  }
}

/** What somebody typed there may be no text at all. */
function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}
