import { isRouteErrorResponse, useLocation } from 'react-router'
import { LooseKnot } from './loose-knot.tsx'
import { errorTexts as texts } from './texts.ts'
import css from './error-page.module.css'

export function ErrorPage({ error }: { error: unknown }) {
  const { pathname, search } = useLocation()
  // Ignores React Router's own messages, which begin with "Error: ", and whole pages, which begin
  // with "<".
  const message =
    isRouteErrorResponse(error) &&
    typeof error.data === 'string' &&
    !/^(Error: |<)/.test(error.data) &&
    error.data
  return (
    <main
      className={`page text-center ${css.page}`}
      id="main"
    >
      <LooseKnot />
      <h1>{message || texts.title}</h1>
      <p>{(message ? texts.refused : texts.failed) + texts.nothingLost}</p>
      {/* Plain links load the document and the scripts again. */}
      <p className={`flex flex-wrap gap-3 ${css.ways}`}>
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
