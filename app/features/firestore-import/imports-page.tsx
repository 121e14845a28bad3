import { Link } from 'react-router'
import { LooseKnot } from '#app/ui/cord-drawing.tsx'
import { formatDate, formatTime } from '#app/ui/format-date.ts'
import type { ImportView } from './report.server.ts'
import { importsPageTexts as texts } from './texts.ts'
import css from './imports-page.module.css'

export function ImportsPage({ imports, timeZone }: { imports: ImportView[]; timeZone: string }) {
  return (
    <main
      className="page"
      id="main"
    >
      <Link
        className="tap"
        to="/manage/tables/"
      >
        {texts.back}
      </Link>
      <h1>{texts.title}</h1>
      {imports.length === 0 ? (
        <div className="card empty">
          <LooseKnot />
          <p>{texts.none}</p>
        </div>
      ) : (
        imports.map((one) => (
          <Import
            key={one.id}
            one={one}
            timeZone={timeZone}
          />
        ))
      )}
    </main>
  )
}

function Import({ one, timeZone }: { one: ImportView; timeZone: string }) {
  return (
    <section
      className={`card ${css.import}`}
      aria-labelledby={`import-${one.id}`}
    >
      <h2 id={`import-${one.id}`}>
        {one.source}, {formatDate(one.at, timeZone)}
      </h2>
      <p className="soft">{formatTime(one.at, timeZone)}</p>
      <pre className={`small flush ${css.summary}`}>{one.summary}</pre>
      {one.lines.length > 0 && (
        <details>
          <summary className={css.more}>{texts.findings(one.findings)}</summary>
          <ol className={`stack small flush ${css.lines}`}>
            {one.lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ol>
          {one.findings > one.lines.length && <p className="soft">{texts.moreFindings}</p>}
        </details>
      )}
    </section>
  )
}
