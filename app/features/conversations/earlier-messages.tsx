/** The way to earlier messages: a link that follows itself as one scrolls up to it. */
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { withBefore } from './message-address.ts'
import type { Loading } from './use-message-run.ts'
import css from './message-log.module.css'

type Props = { before: number; loading: Loading; load: (before: number) => void }

/** Loads before one gets there (pixels). */
const AHEAD = '800px'

/** S-164: without script it is the page with what came before. */
export function EarlierMessages({ before, loading, load }: Props) {
  const line = useRef<HTMLLIElement>(null)
  const { search } = useLocation()
  // What is in sight is the browser's to say.
  useEffect(() => {
    const options = { root: line.current!.closest('[role=log]'), rootMargin: `${AHEAD} 0px 0px` }
    const observer = new IntersectionObserver((seen) => seen.at(-1)!.isIntersecting && load(before), options)
    observer.observe(line.current!)
    return () => observer.disconnect()
  }, [before, load])

  return (
    <li ref={line} className={css.earlier}>
      {loading === 'failed' && <span>Earlier messages could not be loaded. </span>}
      <Link
        className="button quiet"
        to={{ search: withBefore(search, before) }}
        aria-busy={loading === 'loading'}
        preventScrollReset
        onClick={(event) => {
          event.preventDefault()
          load(before)
        }}
      >
        {loading === 'failed' ? 'Try again' : 'Earlier messages'}
      </Link>
    </li>
  )
}
