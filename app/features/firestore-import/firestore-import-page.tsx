import { Link } from 'react-router'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { formatDate, formatTime } from '#ui/format-date.ts'
import type { ImportView } from './report.server.ts'
import { firestoreImportTexts as texts } from './texts.ts'
import css from './firestore-import-page.module.css'

export function FirestoreImportPage({ imports }: { imports: ImportView[] }) {
  const timeZone = useShopTimeZone()
  return (
    <main
      className="page"
      id="main"
    >
      <Link
        className="tap"
        to="/manage/import-export/"
      >
        {texts.back}
      </Link>
      <h1>{texts.title}</h1>
      {imports.length === 0 && (
        <div className="card empty">
          <LooseKnot />
          <p>{texts.none}</p>
        </div>
      )}
      {imports.map(({ id, source, at, summary, lines, findings }) => (
        <section
          key={id}
          className={`card ${css.import}`}
          aria-labelledby={`import-${id}`}
        >
          <h2 id={`import-${id}`}>
            {source}, {formatDate(at, timeZone)}
          </h2>
          <p className="text-soft">{formatTime(at, timeZone)}</p>
          <pre className={`text-sm m-0 ${css.summary}`}>{summary}</pre>
          {lines.length > 0 && (
            <details>
              <summary className={css.more}>{texts.findings(findings)}</summary>
              <ol className={`grid gap-4 text-sm m-0 ${css.lines}`}>
                {lines.map((line, index) => (
                  <li key={index}>{line}</li>
                ))}
              </ol>
              {findings > lines.length && <p className="text-soft">{texts.moreFindings}</p>}
            </details>
          )}
        </section>
      ))}
    </main>
  )
}
