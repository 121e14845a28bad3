/** The form for a new colour (COLOR-09 to COLOR-11, COLOR-15 to COLOR-17). */
import { useEffect, useRef, useState } from 'react'
import Plus from 'lucide-react/icons/plus'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { PictureField } from '#app/features/uploads/picture-field.tsx'
import css from './add-color.module.css'
import { LONGEST_NAME } from './color-fields.ts'

export function AddColor({ isOpen, onAdded }: { isOpen: boolean; onAdded: () => void }) {
  const fetcher = useFetcher<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const name = useRef<HTMLInputElement>(null)
  const [added, setAdded] = useState('')
  const [opensFirst] = useState(isOpen)
  const { data, state } = fetcher
  const error = (field: string) => (data?.field === field ? data.error : undefined)
  // A file field keeps its file until the document's form is reset; then the next colour can be typed.
  useEffect(() => {
    if (!data?.ok) return
    setAdded(name.current?.value.trim() ?? '')
    form.current?.reset()
    name.current?.focus()
    onAdded()
    // oxlint-disable-next-line exhaustive-deps -- once for each answer
  }, [data])
  const isBusy = state !== 'idle'
  return (
    <details className={`card ${css.add}`} open={opensFirst}>
      <summary className={css.summary}>
        <Plus size={20} aria-hidden />
        <h2 id="add-color">Add Color</h2>
      </summary>
      <fetcher.Form ref={form} method="post" encType="multipart/form-data" className={css.form} aria-labelledby="add-color">
        <BackField />
        <div className="field">
          <label htmlFor="color-name">Name</label>
          <input
            className="input"
            ref={name}
            id="color-name"
            name="name"
            maxLength={LONGEST_NAME}
            autoComplete="off"
            aria-invalid={error('name') ? true : undefined}
            aria-describedby="color-name-error"
          />
          <p className="error" id="color-name-error" role="alert">
            {error('name')}
          </p>
        </div>
        <PictureField label="Image" error={error('file')} />
        <p className={css.end}>
          <button className="button" name="intent" value="add" aria-disabled={isBusy}>
            {isBusy ? 'Adding…' : 'Add Color'}
          </button>
          <span className="soft" role="status">
            {!isBusy && data?.ok && added && `${added} is added`}
          </span>
        </p>
      </fetcher.Form>
    </details>
  )
}
