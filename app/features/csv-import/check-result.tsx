/** What a table would change, row by row, and the button that does it; afterwards what was done. */
import { useEffect, useRef } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { countText } from '#app/ui/amounts.ts'
import { Download } from '#app/ui/icons.tsx'
import css from './check-result.module.css'
import type { Applied, Plan, PlanList, RefusedLine } from './table-checks.server.ts'
import { appliedText, kindNames } from './item-table.ts'
import type { ShownChange, ShownCheck } from './tables-page.server.ts'

export function CheckResult({ plan, applied, list: shown, changes, refused, page, pages }: ShownCheck) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { counts } = plan
  // The focus is the browser's: it goes to what was found, and again to what was done.
  const isApplied = applied !== null
  useEffect(() => heading.current?.focus(), [isApplied])
  const of: Record<PlanList, number> = { changes: counts.changed + counts.added + counts.noted, refused: counts.refused }
  return (
    <section className={css.result} aria-labelledby="check-title">
      <h2 id="check-title" ref={heading} tabIndex={-1}>
        {applied ? 'What was changed' : 'What would change'}
      </h2>
      <p className="soft">{plan.fileName}</p>
      {plan.notice && <p className={css.notice}>{plan.notice}</p>}
      <ul role="list" className={`wrap ${css.counts}`}>
        <Count count={counts.changed} name="changed" />
        <Count count={counts.added} name="new" />
        <Count count={counts.refused} name="refused" isBad />
        <Count count={counts.unchanged + counts.noted} name="unchanged" />
      </ul>
      <Explanations plan={plan} />
      {applied ? <Done applied={applied} /> : <ApplyForm plan={plan} />}
      <nav aria-label="Rows of the file" className={`wrap ruled ${css.lists}`}>
        {(['changes', 'refused'] as const)
          .filter((list) => of[list] > 0)
          .map((list) => (
            <Link
              key={list}
              to={addressOf(plan.id, list, 1)}
              preventScrollReset
              aria-current={shown === list ? 'page' : undefined}
            >{`${list === 'changes' ? 'Changes' : 'Refused'} (${of[list].toLocaleString('en-US')})`}</Link>
          ))}
        {of.changes + of.refused > 0 && (
          <a href={`/manage/check.csv?check=${plan.id}`} download>
            <Download size={16} aria-hidden="true" />
            Download this list
          </a>
        )}
      </nav>
      <ol role="list" className={`bare-list stack ${css.rows}`}>
        {changes.map((line) => (
          <ChangedRow key={line.row} line={line} />
        ))}
        {refused.map((line) => (
          <RefusedRow key={line.row} line={line} />
        ))}
      </ol>
      {pages > 1 && (
        <nav aria-label="Pages" className={`cluster ${css.pages}`}>
          {page > 1 && <Link to={addressOf(plan.id, shown, page - 1)}>Previous</Link>}
          <span>{`Page ${page.toLocaleString('en-US')} of ${pages.toLocaleString('en-US')}`}</span>
          {page < pages && <Link to={addressOf(plan.id, shown, page + 1)}>Next</Link>}
        </nav>
      )}
    </section>
  )
}

const addressOf = (id: string, list: PlanList, page: number) => `/manage/tables/?check=${id}&show=${list}${page > 1 ? `&page=${page}` : ''}`

const Count = ({ count, name, isBad = false }: { count: number; name: string; isBad?: boolean }) => (
  <li data-bad={(isBad && count > 0) || undefined} data-none={count === 0 || undefined}>
    <strong className="tabular">{count.toLocaleString('en-US')}</strong> {name}
  </li>
)

function Explanations({ plan: { columns, missing, counts } }: { plan: Plan }) {
  return (
    <>
      {columns.length > 0 && (
        <p>{`Changes of ${columns.map(({ title, count }) => `${title} (${count.toLocaleString('en-US')})`).join(', ')}.`}</p>
      )}
      {missing.length > 0 && <p className="soft">{`Not in this file, and left as it is: ${missing.join(', ')}.`}</p>}
      {counts.refused > 0 && (
        <p>{`${countText(counts.refused, 'row')} cannot be taken and would be left out. Correct ${counts.refused === 1 ? 'it' : 'them'} in your file and upload it again.`}</p>
      )}
    </>
  )
}

function ApplyForm({ plan: { id, counts } }: { plan: Plan }) {
  const count = counts.changed + counts.added
  const isBusy = useNavigation().formData?.get('intent') === 'apply'
  if (count === 0) return <p className="strong">There is nothing to change.</p>
  return (
    <Form method="post" action={`/manage/tables/?check=${id}`} preventScrollReset className={`wrap ${css.apply}`} aria-busy={isBusy}>
      <input type="hidden" name="check" value={id} />
      <button className="button" name="intent" value="apply" aria-disabled={isBusy}>
        {isBusy ? 'Applying…' : `Apply ${countText(count, 'change')}`}
      </button>
      <Link className="button quiet" to="/manage/tables/">
        Discard
      </Link>
    </Form>
  )
}

function Done({ applied }: { applied: Applied }) {
  return (
    <div className={`card ${css.done}`} role="status">
      <p>
        <strong>{`${appliedText(applied.updated, applied.added)}.`}</strong>
      </p>
      {applied.leftOut > 0 && (
        <>
          <p>{`${countText(applied.leftOut, 'row')} left out:`}</p>
          <ul>
            {applied.left.map(({ row, name, text }) => (
              <li key={row}>{`Row ${row} · ${name}: ${text}`}</li>
            ))}
            {applied.leftOut > applied.left.length && <li>{`and ${applied.leftOut - applied.left.length} more`}</li>}
          </ul>
        </>
      )}
    </div>
  )
}

function ChangedRow({ line: { row, kind, name, changes, notes } }: { line: ShownChange }) {
  return (
    <li className={`card stack slim ${css.row}`}>
      <Head row={row} name={name} kind={kind} />
      {changes.length > 0 && (
        <dl className={`stack flush ${css.changes}`}>
          {changes.map(({ column, before, after }) => (
            <div key={column}>
              <dt>{column}</dt>
              <dd>
                {kind === 'change' && (
                  <>
                    <del>{before || 'empty'}</del>
                    <span role="img" aria-label="becomes">
                      →
                    </span>
                  </>
                )}
                <ins>{after || 'empty'}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {notes.map((note) => (
        <p className="soft small" key={note}>
          {note}
        </p>
      ))}
    </li>
  )
}

function RefusedRow({ line: { row, name, id, column, cell, text } }: { line: RefusedLine }) {
  return (
    <li className={`card stack slim ${css.row}`}>
      <Head row={row} name={name || id} kind="refused" />
      <p className="error">{text}</p>
      {column && (
        <p className="soft small">
          {`${column}: `}
          <span>{cell === '' ? 'empty' : `“${cell}”`}</span>
        </p>
      )}
    </li>
  )
}

const Head = ({ row, name, kind }: { row: number; name: string; kind: keyof typeof kindNames }) => (
  <p className={`wrap ${css.head}`}>
    <span className="soft tabular">{`Row ${row.toLocaleString('en-US')}`}</span>
    <strong>{name}</strong>
    <span className={`small round ${css.kind}`} data-kind={kind}>
      {kindNames[kind]}
    </span>
  </p>
)
