/** Keeps what sticks to the lower edge above the keyboard on the screen, which covers the page without making it shorter. */
import { useEffect, useRef } from 'react'

export function useKeyboardInset() {
  const bar = useRef<HTMLDivElement>(null)
  // The keyboard is outside React.
  useEffect(() => {
    const seen = window.visualViewport
    const place = () => {
      const covered = seen ? Math.max(0, window.innerHeight - seen.height - seen.offsetTop) : 0
      // Less is the bar of the browser, or a page that is zoomed in.
      bar.current?.style.setProperty('--keyboard', covered > 120 && seen?.scale === 1 ? `${Math.round(covered)}px` : '0px')
    }
    seen?.addEventListener('resize', place)
    seen?.addEventListener('scroll', place)
    return () => {
      seen?.removeEventListener('resize', place)
      seen?.removeEventListener('scroll', place)
    }
  }, [])
  return bar
}
