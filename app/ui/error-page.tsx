import { isRouteErrorResponse, useLocation } from 'react-router'
import { LooseKnot } from './cord-drawing.tsx'
import { errorTexts as texts } from './texts.ts'
import css from './error-page.module.css'

/** Shows the text of the route's error, or says that the data could not be read. The page never shows the cause of the error. [ERR-01 to ERR-03] */
export function ErrorPage({ error }: { error: unknown }) {
  const { pathname, search } = useLocation()
  // A text that starts with "Error: " comes from React Router, and a text that starts with "<" is a whole page. Neither is shown.
  const message =
    isRouteErrorResponse(error) &&
    typeof error.data === 'string' &&
    !/^(Error: |<)/.test(error.data) &&
    error.data
  return (
    <main
      className={`page centered-text ${css.page}`}
      id="main"
    >
      <LooseKnot />
      <h1>{message || texts.title}</h1>
      <p>{(message ? texts.refused : texts.failed) + texts.nothingLost}</p>
      {/* These are plain links, so that the browser loads the document and the scripts again. */}
      <p className={`wrap ${css.ways}`}>
        <a
          className="button"
          href="/"
        >
          {texts.home}
        </a>
        <a
          className="button quiet"
          href={pathname + search}
        >
          {texts.again}
        </a>
      </p>
    </main>
  )
}
