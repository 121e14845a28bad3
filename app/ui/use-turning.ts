/** The clock of something that turns by itself: stands still under pointer or focus, in a hidden tab, when paused, and for people who want no motion. */
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useCalm } from './use-calm.ts'

const followTab = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const isHiddenNow = () => document.hidden
const isHiddenOnServer = () => false

type Given = {
  count: number
  at: number
  /** milliseconds between turns; a step by hand starts them anew */
  every: number
  turn: () => void
  /** kept by the caller where the slides are made anew while somebody looks at them */
  pressing?: Pressing | undefined
}
/** What somebody pressed; null: nothing yet. */
export type Pressed = 'play' | 'pause' | null
export type Pressing = [Pressed, (pressed: Pressed) => void]

export function useTurning({ count, at, every, turn, pressing }: Given) {
  const own = useState<Pressed>(null)
  const [pressed, setPressed] = pressing ?? own
  const [held, setHeld] = useState({ pointer: false, focus: false, reading: false })
  const wantsCalm = useCalm()
  const isHidden = useSyncExternalStore(followTab, isHiddenNow, isHiddenOnServer)
  const isPaused = pressed === null ? wantsCalm : pressed === 'pause'
  const isTurning = count > 1 && !isPaused && !isHidden && !Object.values(held).includes(true)
  const turnNow = useEffectEvent(turn)
  // The clock is outside React.
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
    /** for the element that holds it still */
    holders: {
      onPointerEnter: () => hold('pointer', true),
      onPointerLeave: () => hold('pointer', false),
      // Only the keyboard's focus holds: a press with the pointer must not stop the turning for good.
      onFocus: (event: React.FocusEvent) => hold('focus', event.target.matches(':focus-visible')),
      onBlur: () => hold('focus', false),
    },
  }
}
