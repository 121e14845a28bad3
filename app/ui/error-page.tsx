import { isRouteErrorResponse, useLocation } from 'react-router'
import { LooseKnot } from './cord-line.tsx'
import css from './error-page.module.css'

/** ERR-01: a failed read is told in the specified words; what a route has to say (ERR-02, ERR-03) in the route's. Never a cause. */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname, search } = useLocation()
  // What begins with "Error: " is the router's own, about routes and their actions; what begins with "<" is a page.
  const told = isRouteErrorResponse(error) && typeof error.data === 'string' && !/^(Error: |<)/.test(error.data) && error.data
  return (
    <main className={`page centered-text ${css.page}`} id="main">
      <LooseKnot />
      <h1>{told || 'A knot came loose'}</h1>
      <p>{told ? 'The page could not be shown.' : 'The page could not be shown: could not fetch data.'} Nothing of yours is lost.</p>
      {/* Whole pages: whatever broke begins anew. */}
      <p className={`wrap ${css.ways}`}>
        <a className="button" href="/">
          Back to the shop
        </a>
        <a className="button quiet" href={pathname + search}>
          Try again
        </a>
      </p>
    </main>
  )
}
