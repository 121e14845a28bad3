import { Form, Link, useFetcher } from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'
import { Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { useTimeZone } from '#app/client/use-time-zone.ts'
import { formatDate, formatTime } from '#app/ui/format-date.ts'
import { LooseKnot } from '#app/ui/cord-drawing.tsx'
import { Undo2 } from '#app/ui/icons.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { type AuditLogEntry, type AuditLogSearch, type AuditLogView, areas } from './audit-log.ts'
import { auditLogTexts as texts } from './texts.ts'
import css from './audit-log-page.module.css'

type Props = AuditLogView & { timeZone: string }

export function AuditLogPage({ search, lines, older, timeZone: shopTimeZone }: Props) {
  const timeZone = useTimeZone(shopTimeZone)
  const isSearch = search.kind !== null || search.name.trim() !== ''
  const days = Map.groupBy(lines, ({ at }) => formatDate(at, timeZone))
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <SearchForm search={search} />
      {lines.length === 0 && (
        <div className="card empty">
          <LooseKnot />
          <p>{isSearch || search.before ? texts.noneFound : texts.none}</p>
        </div>
      )}
      {[...days].map(([day, acts]) => (
        <section
          key={day}
          className="gap-below"
        >
          <h2 className={`large ${css.date}`}>{day}</h2>
          <ol
            className={css.acts}
            role="list"
          >
            {acts.map((line) => (
              <EventRow
                key={line.seq}
                line={line}
                timeZone={timeZone}
              />
            ))}
          </ol>
        </section>
      ))}
      {(older !== null || search.before !== null) && (
        <nav
          className="cluster centered"
          aria-label={texts.pages}
        >
          {search.before !== null && (
            <Link
              className="button quiet"
              to={searchUrl({ ...search, before: null })}
            >
              {texts.newest}
            </Link>
          )}
          {older !== null && (
            <Link
              className="button quiet"
              to={searchUrl({ ...search, before: older })}
            >
              {texts.older}
            </Link>
          )}
        </nav>
      )}
    </main>
  )
}

function searchUrl({ kind, name, before }: AuditLogSearch): string {
  const params = new URLSearchParams()
  if (kind) params.set('kind', kind)
  if (name) params.set('name', name)
  if (before !== null) params.set('before', String(before))
  return `?${params}`
}

function SearchForm({ search }: { search: AuditLogSearch }) {
  return (
    <Form
      className={`stack gap-below ${css.search}`}
      role="search"
      aria-label={texts.title}
      key={`${search.kind} ${search.name}`}
    >
      <Field
        label={texts.name}
        name="name"
      >
        {(tied) => (
          <input
            {...tied}
            type="search"
            defaultValue={search.name}
            autoComplete="off"
          />
        )}
      </Field>
      <Field
        label={texts.kind}
        name="kind"
      >
        {(tied) => (
          <select
            {...tied}
            defaultValue={search.kind ?? ''}
          >
            <option value="">{texts.everything}</option>
            {Object.entries(areas).map(([kind, label]) => (
              <option
                key={kind}
                value={kind}
              >
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button className="button">{texts.search}</button>
    </Form>
  )
}

function EventRow({
  line: { seq, at, text, kind, changes, to, canUndo },
  timeZone,
}: {
  line: AuditLogEntry
  timeZone: string
}) {
  return (
    <li className={`stack ruled ${css.act}`}>
      <p className={`small flush ${css.when} soft`}>
        <time
          className="tabular"
          dateTime={new Date(at).toISOString()}
        >
          {formatTime(at, timeZone)}
        </time>
        <span>{kind}</span>
      </p>
      <div className="slim">
        <p className={css.text}>{to ? <Link to={to}>{text}</Link> : text}</p>
        {changes.length > 0 && (
          <ul
            className={`small ${css.changes}`}
            role="list"
          >
            {changes.map(({ what, before, after }) => (
              <li key={what}>
                {`${what}: `}
                <span className="visually-hidden">{texts.from}</span>
                <bdi className="soft">{before}</bdi>
                <span aria-hidden="true">{' → '}</span>
                <span className="visually-hidden">{texts.to}</span>
                <bdi className="strong">{after}</bdi>
              </li>
            ))}
          </ul>
        )}
      </div>
      {canUndo && (
        <UndoButton
          seq={seq}
          text={text}
        />
      )}
    </li>
  )
}

function UndoButton({ seq, text }: { seq: number; text: string }) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  return (
    <fetcher.Form
      method="post"
      action="/manage/discount/"
    >
      <HiddenFields seq={seq} />
      <button
        className="button quiet"
        name="intent"
        value="undo"
        data-uncovered
        aria-label={texts.undoLabel(text)}
        aria-disabled={fetcher.state !== 'idle'}
      >
        <Undo2
          size={18}
          aria-hidden="true"
        />
        {texts.undo}
      </button>
    </fetcher.Form>
  )
}
