import { Form, Link, useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { formatDate, formatTime } from '#app/ui/dates.ts'
import { Undo2 } from '#app/ui/icons.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { type HistoryLine, type HistorySearch, type HistoryView, kinds } from './history.ts'
import css from './history-page.module.css'

type Props = HistoryView & { timeZone: string }

export function HistoryPage({ search, lines, older, timeZone }: Props) {
  const isSearch = search.kind !== null || search.name.trim() !== ''
  const days = Map.groupBy(lines, ({ at }) => formatDate(at, timeZone))
  return (
    <main className="page" id="main">
      <h1>History</h1>
      <Search search={search} />
      {lines.length === 0 && <p className="soft">{isSearch || search.before ? 'Nothing is found.' : 'Nothing has been done yet.'}</p>}
      {[...days].map(([day, acts]) => (
        <section key={day} className="gap-below">
          <h2 className={`large ${css.date}`}>{day}</h2>
          <ol className={css.acts} role="list">
            {acts.map((line) => (
              <Line key={line.seq} line={line} timeZone={timeZone} />
            ))}
          </ol>
        </section>
      ))}
      {(older !== null || search.before !== null) && (
        <nav className="cluster centered" aria-label="Pages of the history">
          {search.before !== null && (
            <Link className="button quiet" to={addressOf({ ...search, before: null })}>
              {'Newest'}
            </Link>
          )}
          {older !== null && (
            <Link className="button quiet" to={addressOf({ ...search, before: older })}>
              {'Older'}
            </Link>
          )}
        </nav>
      )}
    </main>
  )
}

function addressOf({ kind, name, before }: HistorySearch): string {
  const params = new URLSearchParams()
  if (kind) params.set('kind', kind)
  if (name) params.set('name', name)
  if (before !== null) params.set('before', String(before))
  return `?${params}`
}

function Search({ search }: { search: HistorySearch }) {
  return (
    <Form className={`stack gap-below ${css.search}`} role="search" aria-label="History" key={`${search.kind} ${search.name}`}>
      <Field label="Name" name="name">
        {(tied) => <input {...tied} type="search" defaultValue={search.name} autoComplete="off" />}
      </Field>
      <Field label="Kind" name="kind">
        {(tied) => (
          <select {...tied} defaultValue={search.kind ?? ''}>
            <option value="">Everything</option>
            {Object.entries(kinds).map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button className="button">Search</button>
    </Form>
  )
}

function Line({ line: { seq, at, text, kind, changes, to, canUndo }, timeZone }: { line: HistoryLine; timeZone: string }) {
  return (
    <li className={`stack ruled ${css.act}`}>
      <p className={`small flush ${css.when} soft`}>
        <time className="tabular" dateTime={new Date(at).toISOString()}>
          {formatTime(at, timeZone)}
        </time>
        <span>{kind}</span>
      </p>
      <div className="slim">
        <p className={css.text}>{to ? <Link to={to}>{text}</Link> : text}</p>
        {changes.length > 0 && (
          <ul className={`small ${css.changes}`} role="list">
            {changes.map(({ what, before, after }) => (
              <li key={what}>
                {`${what}: `}
                <span className="unseen">{'from '}</span>
                <span className="soft">{before}</span>
                <span aria-hidden="true">{' → '}</span>
                <span className="unseen">{' to '}</span>
                <strong>{after}</strong>
              </li>
            ))}
          </ul>
        )}
      </div>
      {canUndo && <Undo seq={seq} text={text} />}
    </li>
  )
}

/** Discounts are undone where they are changed. */
function Undo({ seq, text }: { seq: number; text: string }) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  return (
    <fetcher.Form method="post" action="/manage/discount/">
      <HiddenFields seq={seq} />
      <button className="button quiet" name="intent" value="undo" aria-label={`Undo: ${text}`} aria-disabled={fetcher.state !== 'idle'}>
        <Undo2 size={18} aria-hidden="true" />
        Undo
      </button>
    </fetcher.Form>
  )
}
