import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { DownloadAll } from '#settings/download-all.tsx'
import { ActionForm, type FormState, usePageForm } from '#ui/action-form.tsx'
import type { ActionResult } from '#ui/action-result.ts'
import { formatCount } from '#ui/format-count.ts'
import { Download } from '#ui/owner-icons.tsx'
import type { ImportPreview, ImportResult, readImportExportPage } from './import-preview.server.ts'
import { columns, MAX_CSV_BYTES } from './item-columns.ts'
import {
  appliedText,
  importExportTexts as texts,
  importTexts,
  kindNames,
  previewTexts,
} from './texts.ts'
import css from './import-export-page.module.css'
import previewCss from './import-preview.module.css'

type PageData = Awaited<ReturnType<typeof readImportExportPage>>
type PreviewData = NonNullable<PageData['check']>
type ImportExportPageProps = PageData & { actionData: ActionResult | undefined }

export function ImportExportPage({ items, check, isGone, actionData }: ImportExportPageProps) {
  const form = usePageForm(actionData)
  const { answer } = form
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro}</p>
      {/* With JavaScript, a toast shows this error. */}
      <noscript>
        {answer?.error && !answer.field && <p className="error">{answer.error}</p>}
      </noscript>
      {isGone && (
        <p
          className={`card ${css.gone}`}
          role="status"
        >
          {importTexts.gone}
        </p>
      )}
      {check && (
        <PreviewSection
          key={check.plan.id}
          {...check}
          form={form}
        />
      )}
      <div className={`grid gap-4 ${css.cards}`}>
        <section className={`card grid gap-4 min-w-0 ${css.card}`}>
          <h2>{texts.download}</h2>
          <p className="text-soft">{texts.downloadHint(items)}</p>
          {/* These are no forms, because the browser saves the responses as files. */}
          <a
            className="button"
            href="/manage/items.csv"
            download
          >
            <Download size={18} />
            {texts.downloadItems}
          </a>
          <a
            className="button quiet"
            href="/manage/items.csv?style=semicolon"
            download
          >
            {texts.downloadSemicolons}
          </a>
          <p className="text-soft text-sm">{texts.semicolons}</p>
        </section>
        <section className={`card grid gap-4 min-w-0 ${css.card} ${css.upload}`}>
          <h2>{texts.upload}</h2>
          <p className="text-soft">{texts.uploadHint}</p>
          <UploadForm form={form} />
          <ColumnHelp />
        </section>
        <EtsyCard />
        <section className={`card grid gap-4 min-w-0 ${css.card}`}>
          <h2>{texts.wholeShop}</h2>
          <p className="text-soft">{texts.wholeShopHint}</p>
          <DownloadAll back="/manage/import-export/" />
          <Link
            className={`flex items-center ${css.moved}`}
            to="/manage/firestore-import/"
          >
            {texts.imported}
          </Link>
        </section>
      </div>
    </main>
  )
}

const EtsyCard = () => (
  <section
    className={`card grid gap-4 min-w-0 ${css.card}`}
    id="etsy"
  >
    <h2>{texts.etsy}</h2>
    <ol className="text-soft m-0">
      {texts.etsySteps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </section>
)

const ColumnHelp = () => (
  <details className={`fold arrow ${css.columns}`}>
    <summary>{texts.columns}</summary>
    <dl>
      {Object.values(columns).map(({ title, hint }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{hint}</dd>
        </div>
      ))}
    </dl>
    <p className="text-soft">{texts.columnsHint}</p>
  </details>
)

const MAX_MEGABYTES = MAX_CSV_BYTES / 1024 / 1024

function UploadForm({ form }: { form: FormState }) {
  const { answer } = form
  const isBusy = form.pendingIntent === 'check'
  const [isTooLarge, setTooLarge] = useState(false)
  const [dismissed, setDismissed] = useState<ActionResult>()
  const error = answer?.field === 'file' && answer !== dismissed ? answer.error : undefined
  const text = isTooLarge ? importTexts.tooLarge(MAX_MEGABYTES) : error
  return (
    <ActionForm
      form={form}
      action="/manage/import-export/"
      encType="multipart/form-data"
      aria-busy={isBusy}
      onSubmit={(event) => isTooLarge && event.preventDefault()}
    >
      <div className="field">
        <label htmlFor="table-file">{texts.file}</label>
        <input
          className={`min-w-0 w-full ${css.file}`}
          id="table-file"
          type="file"
          name="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          aria-invalid={text ? true : undefined}
          aria-describedby="table-file-hint table-file-error"
          onChange={({ currentTarget }) => {
            setTooLarge((currentTarget.files?.[0]?.size ?? 0) > MAX_CSV_BYTES)
            setDismissed(answer)
          }}
        />
        <p
          className="hint"
          id="table-file-hint"
        >
          {texts.fileHint(MAX_MEGABYTES)}
        </p>
        <p
          className="error"
          id="table-file-error"
          role="alert"
        >
          {text}
        </p>
      </div>
      <button
        className="button"
        name="intent"
        value="check"
        aria-disabled={isBusy}
      >
        {isBusy ? texts.checking : texts.check}
      </button>
    </ActionForm>
  )
}

function PreviewSection(preview: PreviewData & { form: FormState }) {
  const { plan, applied } = preview
  const { counts, missing } = plan
  const heading = useRef<HTMLHeadingElement>(null)
  const isApplied = applied !== null
  useEffect(() => heading.current?.focus(), [isApplied])
  return (
    <section
      className={previewCss.result}
      aria-labelledby="check-title"
    >
      <h2
        id="check-title"
        ref={heading}
        tabIndex={-1}
      >
        {applied ? previewTexts.titleApplied : previewTexts.title}
      </h2>
      <p className="text-soft">{plan.fileName}</p>
      {plan.notice && <p className={previewCss.notice}>{plan.notice}</p>}
      <Counts {...counts} />
      {plan.columns.length > 0 && <p>{previewTexts.columns(plan.columns)}</p>}
      {missing.length > 0 && <p className="text-soft">{previewTexts.missingColumns(missing)}</p>}
      {counts.refused > 0 && <p>{previewTexts.refusedRows(counts.refused)}</p>}
      {applied ? (
        <Applied {...applied} />
      ) : (
        <ApplyForm
          plan={plan}
          form={preview.form}
        />
      )}
      <ListLinks {...preview} />
      <ol
        role="list"
        className={`list-none grid gap-4 ${previewCss.rows}`}
      >
        {preview.changes.map((row) => (
          <ChangedRow
            key={row.row}
            {...row}
          />
        ))}
        {preview.refused.map((row) => (
          <RefusedRow
            key={row.row}
            {...row}
          />
        ))}
      </ol>
      {preview.pages > 1 && <PageLinks {...preview} />}
    </section>
  )
}

const Counts = ({ changed, added, refused, unchanged, noted }: ImportPreview['counts']) => (
  <ul
    role="list"
    className={`flex flex-wrap gap-3 ${previewCss.counts}`}
  >
    <Count
      count={changed}
      name={previewTexts.counts.changed}
    />
    <Count
      count={added}
      name={previewTexts.counts.added}
    />
    <Count
      count={refused}
      name={previewTexts.counts.refused}
      isBad
    />
    <Count
      count={unchanged + noted}
      name={previewTexts.counts.unchanged}
    />
  </ul>
)

const ListLinks = ({ plan, totals, list }: PreviewData) => (
  <nav
    aria-label={previewTexts.rows}
    className={`flex flex-wrap gap-3 border-b ${previewCss.lists}`}
  >
    {(['changes', 'refused'] as const)
      .filter((name) => totals[name] > 0)
      .map((name) => (
        <Link
          key={name}
          to={previewUrl(plan.id, name, 1)}
          preventScrollReset
          aria-current={list === name ? 'page' : undefined}
        >{`${previewTexts.lists[name]} (${formatCount(totals[name])})`}</Link>
      ))}
    {totals.changes + totals.refused > 0 && (
      <a
        href={`/manage/import-report.csv?check=${plan.id}`}
        download
      >
        <Download size={16} />
        {previewTexts.downloadList}
      </a>
    )}
  </nav>
)

const PageLinks = ({ plan, list, page, pages }: PreviewData) => (
  <nav
    aria-label={previewTexts.pages}
    className={`row ${previewCss.pages}`}
  >
    {page > 1 && <Link to={previewUrl(plan.id, list, page - 1)}>{previewTexts.previous}</Link>}
    <span>{previewTexts.page(page, pages)}</span>
    {page < pages && <Link to={previewUrl(plan.id, list, page + 1)}>{previewTexts.next}</Link>}
  </nav>
)

const previewUrl = (id: string, list: PreviewData['list'], page: number) =>
  `/manage/import-export/?check=${id}&show=${list}${page > 1 ? `&page=${page}` : ''}`

type CountProps = { count: number; name: string; isBad?: boolean }

const Count = ({ count, name, isBad = false }: CountProps) => (
  <li
    data-bad={(isBad && count > 0) || undefined}
    data-none={count === 0 || undefined}
  >
    <strong className="tabular-nums">{formatCount(count)}</strong> {name}
  </li>
)

function ApplyForm({ plan: { id, counts }, form }: { plan: ImportPreview; form: FormState }) {
  const count = counts.changed + counts.added
  const isBusy = form.pendingIntent === 'apply'
  if (count === 0) return <p className="font-semibold">{previewTexts.nothing}</p>
  return (
    <ActionForm
      form={form}
      fields={{ check: id }}
      action={`/manage/import-export/?check=${id}`}
      className={`flex flex-wrap gap-3 ${previewCss.apply}`}
      aria-busy={isBusy}
    >
      <button
        className="button"
        name="intent"
        value="apply"
        aria-disabled={isBusy}
      >
        {isBusy ? previewTexts.applying : previewTexts.apply(count)}
      </button>
      <Link
        className="button quiet"
        to="/manage/import-export/"
      >
        {previewTexts.discard}
      </Link>
    </ActionForm>
  )
}

const Applied = ({ updated, added, leftOut, left }: ImportResult) => (
  <div
    className={`card ${previewCss.done}`}
    role="status"
  >
    <p>
      <strong>{`${appliedText(updated, added)}.`}</strong>
    </p>
    {leftOut > 0 && (
      <>
        <p>{previewTexts.leftOut(leftOut)}</p>
        <ul>
          {left.map(({ row, name, text }) => (
            <li key={row}>{previewTexts.leftOutRow(row, name, text)}</li>
          ))}
          {leftOut > left.length && <li>{previewTexts.moreLeftOut(leftOut - left.length)}</li>}
        </ul>
      </>
    )}
  </div>
)

const ChangedRow = ({ row, kind, name, changes, notes }: PreviewData['changes'][number]) => (
  <li className={`card grid gap-4 min-w-0 ${previewCss.row}`}>
    <RowHeading
      row={row}
      name={name}
      kind={kind}
    />
    {changes.length > 0 && (
      <dl className={`grid gap-4 m-0 ${previewCss.changes}`}>
        {changes.map(({ column, before, after }) => (
          <div key={column}>
            <dt>{column}</dt>
            <dd>
              {kind === 'change' && (
                <>
                  <del>{before || previewTexts.empty}</del>
                  <span
                    role="img"
                    aria-label={previewTexts.becomes}
                  >
                    →
                  </span>
                </>
              )}
              <ins>{after || previewTexts.empty}</ins>
            </dd>
          </div>
        ))}
      </dl>
    )}
    {notes.map((note) => (
      <p
        className="text-soft text-sm"
        key={note}
      >
        {note}
      </p>
    ))}
  </li>
)

const RefusedRow = (refusedRow: PreviewData['refused'][number]) => {
  const { row, name, id, column, cell, text } = refusedRow
  return (
    <li className={`card grid gap-4 min-w-0 ${previewCss.row}`}>
      <RowHeading
        row={row}
        name={name || id}
        kind="refused"
      />
      <p className="error">{text}</p>
      {column && (
        <p className="text-soft text-sm">
          {`${column}: `}
          <span>{cell === '' ? previewTexts.empty : `“${cell}”`}</span>
        </p>
      )}
    </li>
  )
}

type RowHeadingProps = { row: number; name: string; kind: keyof typeof kindNames }

const RowHeading = ({ row, name, kind }: RowHeadingProps) => (
  <p className={`flex flex-wrap gap-3 ${previewCss.head}`}>
    <span className="text-soft tabular-nums">{previewTexts.row(row)}</span>
    <strong>{name}</strong>
    <span
      className={`text-sm rounded-full ${previewCss.kind}`}
      data-kind={kind}
    >
      {kindNames[kind]}
    </span>
  </p>
)
