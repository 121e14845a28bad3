/** One row of an uploaded table as the owner reads it before anything is written. */
import type { RefusedLine } from './import-plan.ts'
import css from './plan-rows.module.css'
import { kindNames } from './table-texts.ts'
import type { ShownChange } from './tables-page.server.ts'

export function ChangedRow({ line: { row, kind, name, changes, notes } }: { line: ShownChange }) {
  return (
    <li className={`card ${css.row}`}>
      <Head row={row} name={name} kind={kind} />
      {changes.length > 0 && (
        <dl className={css.changes}>
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
        <p className={css.note} key={note}>
          {note}
        </p>
      ))}
    </li>
  )
}

export function RefusedRow({ line: { row, name, id, column, cell, text } }: { line: RefusedLine }) {
  return (
    <li className={`card ${css.row}`}>
      <Head row={row} name={name || id} kind="refused" />
      <p className="error">{text}</p>
      {column && (
        <p className={css.note}>
          {`${column}: `}
          <span>{cell === '' ? 'empty' : `“${cell}”`}</span>
        </p>
      )}
    </li>
  )
}

const Head = ({ row, name, kind }: { row: number; name: string; kind: keyof typeof kindNames }) => (
  <p className={css.head}>
    <span className="soft tabular">{`Row ${row.toLocaleString('en-US')}`}</span>
    <strong>{name}</strong>
    <span className={css.kind} data-kind={kind}>
      {kindNames[kind]}
    </span>
  </p>
)
