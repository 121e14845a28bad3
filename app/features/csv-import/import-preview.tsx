import { useEffect, useRef } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { Download } from '#app/ui/icons.tsx'
import css from './import-preview.module.css'
import type {
  ImportResult,
  ImportPreview,
  PreviewList,
  RefusedRow,
} from './import-preview-store.server.ts'
import { appliedText, kindNames, previewTexts as texts } from './texts.ts'
import type { ShownChange, ShownPreview } from './import-page.server.ts'

export function ImportPreviewCard({
  plan,
  applied,
  list: shown,
  changes,
  refused,
  page,
  pages,
}: ShownPreview) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { counts } = plan
  // Moves the focus to the heading of the preview. After the owner has applied the import, moves the focus to the heading of the result.
  const isApplied = applied !== null
  useEffect(() => heading.current?.focus(), [isApplied])
  const of: Record<PreviewList, number> = {
    changes: counts.changed + counts.added + counts.noted,
    refused: counts.refused,
  }
  return (
    <section
      className={css.result}
      aria-labelledby="check-title"
    >
      <h2
        id="check-title"
        ref={heading}
        tabIndex={-1}
      >
        {applied ? texts.titleApplied : texts.title}
      </h2>
      <p className="soft">{plan.fileName}</p>
      {plan.notice && <p className={css.notice}>{plan.notice}</p>}
      <ul
        role="list"
        className={`wrap ${css.counts}`}
      >
        <Count
          count={counts.changed}
          name={texts.counts.changed}
        />
        <Count
          count={counts.added}
          name={texts.counts.added}
        />
        <Count
          count={counts.refused}
          name={texts.counts.refused}
          isBad
        />
        <Count
          count={counts.unchanged + counts.noted}
          name={texts.counts.unchanged}
        />
      </ul>
      <Explanations plan={plan} />
      {applied ? <Done applied={applied} /> : <ApplyForm plan={plan} />}
      <nav
        aria-label={texts.rows}
        className={`wrap ruled ${css.lists}`}
      >
        {(['changes', 'refused'] as const)
          .filter((list) => of[list] > 0)
          .map((list) => (
            <Link
              key={list}
              to={previewUrl(plan.id, list, 1)}
              preventScrollReset
              aria-current={shown === list ? 'page' : undefined}
            >{`${texts.lists[list]} (${of[list].toLocaleString('en-US')})`}</Link>
          ))}
        {of.changes + of.refused > 0 && (
          <a
            href={`/manage/check.csv?check=${plan.id}`}
            download
          >
            <Download
              size={16}
              aria-hidden="true"
            />
            {texts.downloadList}
          </a>
        )}
      </nav>
      <ol
        role="list"
        className={`bare-list stack ${css.rows}`}
      >
        {changes.map((line) => (
          <ChangedRow
            key={line.row}
            line={line}
          />
        ))}
        {refused.map((line) => (
          <RefusedRow
            key={line.row}
            line={line}
          />
        ))}
      </ol>
      {pages > 1 && (
        <nav
          aria-label={texts.pages}
          className={`cluster ${css.pages}`}
        >
          {page > 1 && <Link to={previewUrl(plan.id, shown, page - 1)}>{texts.previous}</Link>}
          <span>{texts.page(page, pages)}</span>
          {page < pages && <Link to={previewUrl(plan.id, shown, page + 1)}>{texts.next}</Link>}
        </nav>
      )}
    </section>
  )
}

const previewUrl = (id: string, list: PreviewList, page: number) =>
  `/manage/tables/?check=${id}&show=${list}${page > 1 ? `&page=${page}` : ''}`

const Count = ({
  count,
  name,
  isBad = false,
}: {
  count: number
  name: string
  isBad?: boolean
}) => (
  <li
    data-bad={(isBad && count > 0) || undefined}
    data-none={count === 0 || undefined}
  >
    <strong className="tabular">{count.toLocaleString('en-US')}</strong> {name}
  </li>
)

function Explanations({ plan: { columns, missing, counts } }: { plan: ImportPreview }) {
  return (
    <>
      {columns.length > 0 && <p>{texts.columns(columns)}</p>}
      {missing.length > 0 && <p className="soft">{texts.missingColumns(missing)}</p>}
      {counts.refused > 0 && <p>{texts.refusedRows(counts.refused)}</p>}
    </>
  )
}

function ApplyForm({ plan: { id, counts } }: { plan: ImportPreview }) {
  const count = counts.changed + counts.added
  const isBusy = useNavigation().formData?.get('intent') === 'apply'
  if (count === 0) return <p className="strong">{texts.nothing}</p>
  return (
    <Form
      method="post"
      action={`/manage/tables/?check=${id}`}
      preventScrollReset
      className={`wrap ${css.apply}`}
      aria-busy={isBusy}
    >
      <input
        type="hidden"
        name="check"
        value={id}
      />
      <button
        className="button"
        name="intent"
        value="apply"
        aria-disabled={isBusy}
      >
        {isBusy ? texts.applying : texts.apply(count)}
      </button>
      <Link
        className="button quiet"
        to="/manage/tables/"
      >
        {texts.discard}
      </Link>
    </Form>
  )
}

function Done({ applied }: { applied: ImportResult }) {
  return (
    <div
      className={`card ${css.done}`}
      role="status"
    >
      <p>
        <strong>{`${appliedText(applied.updated, applied.added)}.`}</strong>
      </p>
      {applied.leftOut > 0 && (
        <>
          <p>{texts.leftOut(applied.leftOut)}</p>
          <ul>
            {applied.left.map(({ row, name, text }) => (
              <li key={row}>{texts.leftOutRow(row, name, text)}</li>
            ))}
            {applied.leftOut > applied.left.length && (
              <li>{texts.moreLeftOut(applied.leftOut - applied.left.length)}</li>
            )}
          </ul>
        </>
      )}
    </div>
  )
}

function ChangedRow({ line: { row, kind, name, changes, notes } }: { line: ShownChange }) {
  return (
    <li className={`card stack slim ${css.row}`}>
      <RowHeading
        row={row}
        name={name}
        kind={kind}
      />
      {changes.length > 0 && (
        <dl className={`stack flush ${css.changes}`}>
          {changes.map(({ column, before, after }) => (
            <div key={column}>
              <dt>{column}</dt>
              <dd>
                {kind === 'change' && (
                  <>
                    <del>{before || texts.empty}</del>
                    <span
                      role="img"
                      aria-label={texts.becomes}
                    >
                      →
                    </span>
                  </>
                )}
                <ins>{after || texts.empty}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {notes.map((note) => (
        <p
          className="soft small"
          key={note}
        >
          {note}
        </p>
      ))}
    </li>
  )
}

function RefusedRow({ line: { row, name, id, column, cell, text } }: { line: RefusedRow }) {
  return (
    <li className={`card stack slim ${css.row}`}>
      <RowHeading
        row={row}
        name={name || id}
        kind="refused"
      />
      <p className="error">{text}</p>
      {column && (
        <p className="soft small">
          {`${column}: `}
          <span>{cell === '' ? texts.empty : `“${cell}”`}</span>
        </p>
      )}
    </li>
  )
}

const RowHeading = ({
  row,
  name,
  kind,
}: {
  row: number
  name: string
  kind: keyof typeof kindNames
}) => (
  <p className={`wrap ${css.head}`}>
    <span className="soft tabular">{texts.row(row)}</span>
    <strong>{name}</strong>
    <span
      className={`small round ${css.kind}`}
      data-kind={kind}
    >
      {kindNames[kind]}
    </span>
  </p>
)
