/** The owner's page of tables: items out as CSV, and back in after a look at what would change. */
import { useState, type ChangeEvent } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/settings/download-all.tsx'
import { countText } from '#app/ui/amounts.ts'
import type { Answer } from '#app/ui/answer.ts'
import { Download } from '#app/ui/icons.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { CheckResult } from './check-result.tsx'
import { columns, MAX_TABLE_BYTES, tableTexts } from './item-table.ts'
import type { TablesPage as Page } from './tables-page.server.ts'
import css from './tables-page.module.css'

export function TablesPage({ items, check, isGone, answer }: Page & { answer: Answer | undefined }) {
  useAnswerToasts(answer)
  return (
    <main className="page" id="main">
      <h1>Import and export</h1>
      <p className="intro">All items as one table for your spreadsheet, and the changed table back into the shop.</p>
      {/* The texts of an answer are toasts only where script runs. */}
      <noscript>{answer?.error && !answer.field && <p className="error">{answer.error}</p>}</noscript>
      {isGone && (
        <p className={`card ${css.gone}`} role="status">
          {tableTexts.gone}
        </p>
      )}
      {check && <CheckResult key={check.plan.id} {...check} />}
      <div className={`stack ${css.cards}`}>
        <section className={`card stack slim ${css.card}`}>
          <h2>Download</h2>
          <p className="soft">{`${countText(items, 'item')}, with prices, texts and discounts.`}</p>
          {/* Plain links: the browser saves the answer as a file and stays where it is. */}
          <a className="button" href="/manage/items.csv" download>
            <Download size={18} aria-hidden="true" />
            Download items
          </a>
          <a className="button quiet" href="/manage/items.csv?style=semicolon" download>
            Download with semicolons
          </a>
          <p className="soft small">With semicolons: for a spreadsheet in which prices look like 12,50.</p>
        </section>
        <section className={`card stack slim ${css.card} ${css.upload}`}>
          <h2>Upload</h2>
          <p className="soft">First you see what would change, row by row. Nothing is written before you say so.</p>
          <UploadForm error={answer?.field === 'file' ? answer.error : undefined} />
          <Columns />
        </section>
        <section className={`card stack slim ${css.card}`}>
          <h2>The whole shop</h2>
          <p className="soft">Everything that the shop keeps, as one file: catalogue, conversations, sales, testimonies.</p>
          <DownloadAll back="/manage/tables/" />
          <Link className={`aligned ${css.moved}`} to="/manage/moved/">
            Moved here from another shop
          </Link>
        </section>
      </div>
    </main>
  )
}

const Columns = () => (
  <details className={css.columns}>
    <summary>What stands in the columns</summary>
    <dl>
      {Object.values(columns).map(({ title, hint }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{hint}</dd>
        </div>
      ))}
    </dl>
    <p className="soft">
      Columns that you leave out stay as they are, and so do items whose rows you take out: a table never deletes. A new item needs a
      picture, so add it with its photos under Merchandise.
    </p>
  </details>
)

/** A file that is too large is told before it is sent. */
function UploadForm({ error }: { error: string | undefined }) {
  const { formMethod, formEncType } = useNavigation()
  const isBusy = formMethod === 'POST' && formEncType === 'multipart/form-data'
  const [isTooLarge, setTooLarge] = useState(false)
  const pick = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => setTooLarge((currentTarget.files?.[0]?.size ?? 0) > MAX_TABLE_BYTES)
  const text = isTooLarge ? tableTexts.tooLarge : error
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
        <label htmlFor="table-file">Table (CSV)</label>
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
        <p className="hint" id="table-file-hint">
          {`From this shop’s download or any spreadsheet; at most ${MAX_TABLE_BYTES / 1024 / 1024} MB.`}
        </p>
        <p className="error" id="table-file-error" role="alert">
          {text}
        </p>
      </div>
      <button className="button" name="intent" value="check" aria-disabled={isBusy}>
        {isBusy ? 'Checking…' : 'Check the file'}
      </button>
    </Form>
  )
}
