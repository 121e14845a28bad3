/** What an import of another shop found, for the owner: how much came, and everything that was odd in it. */
import { Link } from 'react-router'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { countText } from '#app/ui/amounts.ts'
import { formatDate, formatTime } from '#app/ui/dates.ts'
import type { ImportView } from './report.server.ts'
import css from './imports-page.module.css'

export function ImportsPage({ imports, timeZone }: { imports: ImportView[]; timeZone: string }) {
  return (
    <main className="page" id="main">
      <h1>Moved here</h1>
      <p>
        <Link to="/manage/tables/">Import and export</Link>
      </p>
      {imports.length === 0 ? (
        <div className={`card stack centered-text ${css.empty}`}>
          <LooseKnot />
          <p>
            Nothing was moved here from another shop. Whoever runs the shop can do it; the chapter “Moving here” of the manual says how.
          </p>
        </div>
      ) : (
        imports.map((one) => <Import key={one.id} one={one} timeZone={timeZone} />)
      )}
    </main>
  )
}

function Import({ one, timeZone }: { one: ImportView; timeZone: string }) {
  return (
    <section className={`card ${css.import}`} aria-labelledby={`import-${one.id}`}>
      <h2 id={`import-${one.id}`}>
        {one.source}, {formatDate(one.at, timeZone)}
      </h2>
      <p className="soft">{formatTime(one.at, timeZone)}</p>
      <pre className={`small flush ${css.summary}`}>{one.summary}</pre>
      {one.lines.length > 0 && (
        <details>
          <summary className={css.more}>{countText(one.findings, 'finding')}, one by one</summary>
          <ol className={`stack small flush ${css.lines}`}>
            {one.lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ol>
          {one.findings > one.lines.length && <p className="soft">The rest stands in the report file in the shop's data folder.</p>}
        </details>
      )}
    </section>
  )
}
