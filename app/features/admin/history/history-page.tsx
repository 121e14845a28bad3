import { Form, Link } from 'react-router'
import { useTimeZone } from '#client/use-time-zone.ts'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { InputField, SelectField } from '#ui/form-fields.tsx'
import { formatDate, formatTime } from '#ui/format-date.ts'
import { Undo2 } from '#ui/owner-icons.tsx'
import type { HistoryView } from './history.server.ts'
import { type HistorySearch, areas } from './history.ts'
import { historyTexts as texts } from './texts.ts'
import css from './history-page.module.css'

export function HistoryPage({ search, lines, older }: HistoryView) {
  const timeZone = useTimeZone()
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
          className="mb-5"
        >
          <h2 className={`text-lg ${css.date}`}>{day}</h2>
          <ol
            className={css.acts}
            role="list"
          >
            {acts.map((line) => (
              <EventRow
                key={line.seq}
                {...line}
                timeZone={timeZone}
              />
            ))}
          </ol>
        </section>
      ))}
      {(older ?? search.before) !== null && (
        <nav
          className="row justify-center"
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

function searchUrl({ kind, name, before }: HistorySearch) {
  const params = new URLSearchParams()
  if (kind) params.set('kind', kind)
  if (name) params.set('name', name)
  if (before !== null) params.set('before', String(before))
  return `?${params}`
}

function SearchForm({ search }: { search: HistorySearch }) {
  return (
    <Form
      className={`grid gap-4 mb-5 ${css.search}`}
      role="search"
      aria-label={texts.title}
      key={`${search.kind} ${search.name}`}
    >
      <InputField
        label={texts.name}
        name="name"
        type="search"
        defaultValue={search.name}
        autoComplete="off"
      />
      <SelectField
        label={texts.kind}
        name="kind"
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
      </SelectField>
      <button className="button">{texts.search}</button>
    </Form>
  )
}

type EventRowProps = HistoryView['lines'][number] & { timeZone: string }

function EventRow({ seq, at, text, kind, changes, to, canUndo, timeZone }: EventRowProps) {
  return (
    <li className={`grid gap-4 border-b ${css.act}`}>
      <p className={`text-sm m-0 ${css.when} text-soft`}>
        <time
          className="tabular-nums"
          dateTime={new Date(at).toISOString()}
        >
          {formatTime(at, timeZone)}
        </time>
        <span>{kind}</span>
      </p>
      <div className="min-w-0">
        <p className={css.text}>{to ? <Link to={to}>{text}</Link> : text}</p>
        {changes.length > 0 && (
          <ul
            className={`text-sm ${css.changes}`}
            role="list"
          >
            {changes.map(({ what, before, after }) => (
              <li key={what}>
                {`${what}: `}
                <span className="sr-only">{texts.from}</span>
                <bdi className="text-soft">{before}</bdi>
                <span aria-hidden="true">{' → '}</span>
                <span className="sr-only">{texts.to}</span>
                <bdi className="font-semibold">{after}</bdi>
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
  const form = useActionForm()
  return (
    <ActionForm
      form={form}
      action="/manage/discount/"
      fields={{ intent: 'undo', seq }}
    >
      <SubmitButton
        className="button quiet"
        data-uncovered
        aria-label={texts.undoLabel(text)}
      >
        <Undo2 size={18} />
        {texts.undo}
      </SubmitButton>
    </ActionForm>
  )
}
