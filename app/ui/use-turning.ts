/** Something that turns by itself: holds still under pointer or focus, in a hidden tab, when paused, and for people who want no motion. */
import { useEffect, useState, useSyncExternalStore } from 'react'

const calm = '(prefers-reduced-motion: reduce)'
const followCalm = (listener: () => void) => {
  const query = matchMedia(calm)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
const followTab = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** `every`: milliseconds between turns; a step by hand starts them anew. */
export function useTurning(count: number, every: number, first = 0) {
  const [index, setIndex] = useState(first)
  const [choice, setChoice] = useState<'play' | 'pause' | null>(null)
  const [isHeld, setIsHeld] = useState(false)
  const wantsCalm = useSyncExternalStore(
    followCalm,
    () => matchMedia(calm).matches,
    () => false,
  )
  const isHidden = useSyncExternalStore(
    followTab,
    () => document.hidden,
    () => false,
  )
  const at = count === 0 ? 0 : ((index % count) + count) % count
  const isPaused = choice === null ? wantsCalm : choice === 'pause'
  const isTurning = count > 1 && !isPaused && !isHeld && !isHidden
  // The clock is outside React.
  useEffect(() => {
    if (!isTurning) return
    const timer = setTimeout(() => setIndex(at + 1), every)
    return () => clearTimeout(timer)
  }, [isTurning, at, every])
  return {
    at,
    show: setIndex,
    isPaused,
    isTurning,
    toggle: () => setChoice(isPaused ? 'play' : 'pause'),
    /** for the element that holds it still */
    hold: {
      onPointerEnter: () => setIsHeld(true),
      onPointerLeave: () => setIsHeld(false),
      // Only the keyboard's focus holds: a press with the pointer must not stop the turning for good.
      onFocus: (event: React.FocusEvent) => event.target.matches(':focus-visible') && setIsHeld(true),
      onBlur: () => setIsHeld(false),
    },
  }
}
