/** The owner's page of tables: items out as CSV, and back in after a look at what would change. */
import { Download } from 'lucide-react'
import { Link } from 'react-router'
import { DownloadAll } from '#app/features/documents/download-all.tsx'
import { countText } from '#app/ui/amounts.ts'
import type { Answer } from '#app/ui/answer.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { CheckResult } from './check-result.tsx'
import { columnHints, columnTitles, itemColumns } from './item-table.ts'
import { tableTexts } from './table-texts.ts'
import type { TablesPage as Page } from './tables-page.server.ts'
import css from './tables-page.module.css'
import { UploadForm } from './upload-form.tsx'

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
      <div className={css.cards}>
        <section className={`card ${css.card}`}>
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
          <p className={css.hint}>With semicolons: for a spreadsheet in which prices look like 12,50.</p>
        </section>
        <section className={`card ${css.card} ${css.upload}`}>
          <h2>Upload</h2>
          <p className="soft">First you see what would change, row by row. Nothing is written before you say so.</p>
          <UploadForm error={answer?.field === 'file' ? answer.error : undefined} />
          <Columns />
        </section>
        <section className={`card ${css.card}`}>
          <h2>The whole shop</h2>
          <p className="soft">Everything that the shop keeps, as one file: catalogue, conversations, sales, testimonies.</p>
          <DownloadAll back="/manage/tables/" />
          <Link className={css.moved} to="/manage/moved/">
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
      {itemColumns.map((column) => (
        <div key={column}>
          <dt>{columnTitles[column]}</dt>
          <dd>{columnHints[column]}</dd>
        </div>
      ))}
    </dl>
    <p className="soft">
      Columns that you leave out stay as they are, and so do items whose rows you take out: a table never deletes. A new item needs a
      picture, so add it with its photos under Merchandise.
    </p>
  </details>
)
