/** The shown picture as state that the address follows. */
import { useState, type MouseEvent } from 'react'
import { searchOf, type Shown } from './shown-picture.ts'

/** ITEM-01, ITEM-09. `first`: what the address shows (`readShown`). */
export function useShownPicture(first: Shown): [Shown, (wanted: Shown) => void] {
  const [shown, setShown] = useState(first)
  return [
    shown,
    (wanted) => {
      setShown(wanted)
      // Past the router, which would load the page's data anew for each picture. Reload and Back read this address.
      history.replaceState(history.state, '', location.pathname + searchOf(wanted, location.search))
    },
  ]
}

/** Script does in place what the link does without it; a new tab stays a new tab. */
export function takesOver(event: MouseEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return false
  event.preventDefault()
  return true
}
