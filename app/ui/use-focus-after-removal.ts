import { useEffect, useRef } from 'react'
import { useFetchers, useMatches, useNavigation } from 'react-router'

export function useFocusAfterRemoval() {
  // These hooks render again after the result of a form has changed the page.
  useMatches()
  useFetchers()
  useNavigation()
  const focused = useRef<Element[]>([])
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      focused.current = []
      let element = target as Element | null
      while (element && element !== document.body) {
        focused.current.push(element)
        element = element.parentElement
      }
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [])
  useEffect(() => {
    const [last, ...ancestors] = focused.current
    if (!last || last.isConnected || document.activeElement !== document.body) return
    const heading = ancestors
      .filter((ancestor) => ancestor.isConnected)
      .map((ancestor) => ancestor.querySelector<HTMLElement>('h1, h2, h3'))
      .find(Boolean)
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  })
}
