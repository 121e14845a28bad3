/** If the row or button that has the focus is removed, the focus moves to a heading near it. Otherwise keyboard users would start again at the top of the page. [S-276] */
import { useEffect, useRef } from 'react'
import { useFetchers, useMatches, useNavigation } from 'react-router'

export function useFocusAfterRemoval(): void {
  // These hooks cause a new render when the result of a form changes the page. The effect below then runs again.
  useMatches()
  useFetchers()
  useNavigation()
  const focused = useRef<Element[]>([])
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      focused.current = []
      for (
        let place = target as Element | null;
        place && place !== document.body;
        place = place.parentElement
      )
        focused.current.push(place)
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useEffect(() => {
    const [last, ...around] = focused.current
    if (!last || last.isConnected || document.activeElement !== document.body) return
    const heading = around
      .filter((place) => place.isConnected)
      .map((place) => place.querySelector<HTMLElement>('h1, h2, h3'))
      .find(Boolean)
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  })
}
