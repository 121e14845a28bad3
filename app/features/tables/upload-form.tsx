/** The field for a table; a file that is too large is told before it is sent. */
import { useState, type ChangeEvent } from 'react'
import { Form, useNavigation } from 'react-router'
import { MAX_TABLE_BYTES, tableTexts } from './table-texts.ts'
import css from './tables-page.module.css'

export function UploadForm({ error }: { error: string | undefined }) {
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
          className={css.file}
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
