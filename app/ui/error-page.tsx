import { isRouteErrorResponse, useLocation } from 'react-router'
import { LooseKnot } from './cord-drawing.tsx'
import { errorTexts as texts } from './texts.ts'
import css from './error-page.module.css'

/** Shows the specified text of a failed read [ERR-01] or the text of the route [ERR-02, ERR-03], but never a cause. */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname, search } = useLocation()
  // Texts that start with "Error: " come from React Router; texts that start with "<" are whole pages.
  const message = isRouteErrorResponse(error) && typeof error.data === 'string' && !/^(Error: |<)/.test(error.data) && error.data
  return (
    <main className={`page centered-text ${css.page}`} id="main">
      <LooseKnot />
      <h1>{message || texts.title}</h1>
      <p>{(message ? texts.refused : texts.failed) + texts.nothingLost}</p>
      {/* Full page loads: whatever broke starts again. */}
      <p className={`wrap ${css.ways}`}>
        <a className="button" href="/">
          {texts.home}
        </a>
        <a className="button quiet" href={pathname + search}>
          {texts.again}
        </a>
      </p>
    </main>
  )
}
