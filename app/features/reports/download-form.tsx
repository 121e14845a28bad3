/** Sales or receipts of any days as a file for a spreadsheet; a plain form, since the browser saves what comes back and stays where it is. */
import { Download } from 'lucide-react'
import css from './download-form.module.css'

export function DownloadForm({ year }: { year: number }) {
  return (
    <form className={`card ${css.card}`} action="/manage/sales.csv">
      <h2>Download</h2>
      <p className="soft">As a table for your spreadsheet or your tax adviser. Without a day, everything is in it.</p>
      <div className={css.fields}>
        <div>
          <label htmlFor="report-from">First day</label>
          <input className="input" id="report-from" type="date" name="from" defaultValue={`${year}-01-01`} />
        </div>
        <div>
          <label htmlFor="report-to">Last day</label>
          <input className="input" id="report-to" type="date" name="to" defaultValue={`${year}-12-31`} />
        </div>
        <div>
          <label htmlFor="report-style">Written with</label>
          <select className="input" id="report-style" name="style">
            <option value="comma">Commas, 12.50</option>
            <option value="semicolon">Semicolons, 12,50</option>
          </select>
        </div>
      </div>
      <div className={css.buttons}>
        <button className="button">
          <Download size={18} aria-hidden="true" />
          Download sales
        </button>
        <button className="button quiet" formAction="/manage/receipts.csv">
          <Download size={18} aria-hidden="true" />
          Download receipts
        </button>
      </div>
    </form>
  )
}
