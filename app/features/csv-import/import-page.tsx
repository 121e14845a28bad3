import { useState, type ChangeEvent } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/settings/download-all.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { Download } from '#app/ui/icons.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { ImportPreviewCard } from './import-preview.tsx'
import { columns, MAX_CSV_BYTES } from './item-columns.ts'
import type { ImportPageData as Page } from './import-page.server.ts'
import { importPageTexts as texts, importTexts } from './texts.ts'
import css from './import-page.module.css'

export function ImportPage({
  items,
  check,
  isGone,
  answer,
}: Page & { answer: ActionResult | undefined }) {
  useActionToasts(answer)
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro}</p>
      {/* Without JavaScript, the page shows this error. With JavaScript, a toast shows this error. */}
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
        <ImportPreviewCard
          key={check.plan.id}
          {...check}
        />
      )}
      <div className={`stack ${css.cards}`}>
        <section className={`card stack slim ${css.card}`}>
          <h2>{texts.download}</h2>
          <p className="soft">{texts.downloadHint(items)}</p>
          {/* This is a link and not a form, because the browser saves the response as a file. */}
          <a
            className="button"
            href="/manage/items.csv"
            download
          >
            <Download
              size={18}
              aria-hidden="true"
            />
            {texts.downloadItems}
          </a>
          <a
            className="button quiet"
            href="/manage/items.csv?style=semicolon"
            download
          >
            {texts.downloadSemicolons}
          </a>
          <p className="soft small">{texts.semicolons}</p>
        </section>
        <section className={`card stack slim ${css.card} ${css.upload}`}>
          <h2>{texts.upload}</h2>
          <p className="soft">{texts.uploadHint}</p>
          <UploadForm answer={answer} />
          <ColumnHelp />
        </section>
        <section className={`card stack slim ${css.card}`}>
          <h2>{texts.wholeShop}</h2>
          <p className="soft">{texts.wholeShopHint}</p>
          <DownloadAll back="/manage/tables/" />
          <Link
            className={`aligned ${css.moved}`}
            to="/manage/moved/"
          >
            {texts.imported}
          </Link>
        </section>
      </div>
    </main>
  )
}

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
    <p className="soft">{texts.columnsHint}</p>
  </details>
)

/** The form checks the size of the chosen file before the upload, and refuses a file that is too large. */
function UploadForm({ answer }: { answer: ActionResult | undefined }) {
  const { formMethod, formEncType } = useNavigation()
  const isBusy = formMethod === 'POST' && formEncType === 'multipart/form-data'
  const [isTooLarge, setTooLarge] = useState(false)
  // When the owner chooses another file, the server's error about the previous file disappears. [S-477]
  const [dismissed, setDismissed] = useState<ActionResult>()
  const error = answer?.field === 'file' && answer !== dismissed ? answer.error : undefined
  const pick = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    setTooLarge((currentTarget.files?.[0]?.size ?? 0) > MAX_CSV_BYTES)
    setDismissed(answer)
  }
  const text = isTooLarge ? importTexts.tooLarge(MAX_CSV_BYTES / 1024 / 1024) : error
  return (
    <Form
      method="post"
      action="/manage/tables/"
      encType="multipart/form-data"
      preventScrollReset
      aria-busy={isBusy}
      onSubmit={(event) => isTooLarge && event.preventDefault()}
    >
      <div className="field">
        <label htmlFor="table-file">{texts.file}</label>
        <input
          className={`slim wide ${css.file}`}
          id="table-file"
          type="file"
          name="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          aria-invalid={text ? true : undefined}
          aria-describedby="table-file-hint table-file-error"
          onChange={pick}
        />
        <p
          className="hint"
          id="table-file-hint"
        >
          {texts.fileHint(MAX_CSV_BYTES / 1024 / 1024)}
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
    </Form>
  )
}
