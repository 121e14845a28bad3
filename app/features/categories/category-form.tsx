/** Title and theme colour of one category, saved in place: on Enter, on leaving the fields, or with the button. */
import { useEffect, useRef, type ReactNode } from 'react'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField, useHasScript } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { Category } from '#app/features/catalog/catalog.ts'
import { readThemeColor, refuseTitle, NO_COLOR } from './category-fields.ts'
import css from './category-form.module.css'
import type { Draft } from './use-draft.ts'

type Props = { category: Category; title: Draft; color: Draft }

export function CategoryForm({ category, title, color }: Props) {
  const hasScript = useHasScript()
  const saving = useFetcher<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  /** what went out last */
  const sent = useRef({ title: '', color: '' })
  const { data, state } = saving
  useAnswerToasts(data)
  const isDirty = title.isDirty || color.isDirty
  const titleError = title.isDirty ? refuseTitle(title.value) : null
  const colorError = color.isDirty && !readThemeColor(color.value) ? NO_COLOR : null

  // What was written is shown as it is stored. What could not be written is put back (CATEGORY-12), unless somebody is still at it.
  useEffect(() => {
    if (state !== 'idle' || !data || data.field) return
    if (!data.ok && form.current?.contains(document.activeElement)) return
    if (title.value === sent.current.title) title.forget()
    if (color.value === sent.current.color) color.forget()
    // oxlint-disable-next-line exhaustive-deps -- once for each answer, not for each letter typed after it
  }, [data, state])

  const save = () => {
    if (!isDirty || titleError || colorError || (state !== 'idle' && isSent(saving.formData))) return
    note()
    void saving.submit(form.current)
  }
  const note = () => {
    sent.current = { title: title.value, color: color.value }
  }
  const isSent = (going: FormData | undefined) => going?.get('title') === title.value && going.get('color') === color.value
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  // React hears each step in the browser's colour dialog, but not that it was closed.
  useEffect(() => {
    const field = picker.current
    const closed = () => latest.current()
    field?.addEventListener('change', closed)
    return () => field?.removeEventListener('change', closed)
  }, [])

  return (
    <saving.Form
      ref={form}
      method="post"
      className={css.form}
      onSubmit={(event) => {
        if (titleError || colorError || !isDirty) event.preventDefault()
        note()
      }}
      onBlur={({ relatedTarget }) => !form.current?.contains(relatedTarget) && save()}
    >
      <BackField />
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="id" value={category.id} />
      <input type="hidden" name="wasTitle" value={title.was} />
      <input type="hidden" name="wasColor" value={color.was} />
      <Field label="Title" id={`title-${category.id}`} className={css.title} error={titleError ?? errorOf(data, 'title')}>
        {(field) => (
          <input {...field} className="input" name="title" value={title.value} onChange={(e) => title.type(e.currentTarget.value)} />
        )}
      </Field>
      <Field label="Theme color" id={`color-${category.id}`} className={css.color} error={colorError ?? errorOf(data, 'color')}>
        {(field) => (
          <span className={css.colors}>
            <input
              className={css.picker}
              ref={picker}
              type="color"
              name={hasScript ? undefined : 'picked'}
              aria-label={`Pick the theme color of ${category.title}`}
              value={readThemeColor(color.value) ?? category.color}
              onChange={(event) => color.type(event.currentTarget.value)}
            />
            <input
              {...field}
              className="input"
              name="color"
              value={color.value}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => color.type(event.currentTarget.value)}
            />
          </span>
        )}
      </Field>
      <div className={css.state}>
        {hasScript && !isDirty ? (
          <span role="status">{state !== 'idle' ? 'Saving…' : data?.ok ? 'Saved' : ''}</span>
        ) : (
          <button className="button" aria-disabled={titleError || colorError ? true : undefined} aria-label={`Save ${category.title}`}>
            {state === 'idle' ? 'Save' : 'Saving…'}
          </button>
        )}
      </div>
      <p className={css.elsewhere} role="status">
        {title.isElsewhere && `Another window has just saved “${category.title}”. Saving writes yours over it.`}
      </p>
    </saving.Form>
  )
}

const errorOf = (data: Answer | undefined, field: string) => (data?.field === field ? data.error : undefined)

type FieldProps = {
  label: string
  id: string
  className: string | undefined
  error: string | undefined
  children: (field: { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string }) => ReactNode
}

function Field({ label, id, className, error, children }: FieldProps) {
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': `${id}-error` })}
      <p className="error" id={`${id}-error`} role="alert">
        {error}
      </p>
    </div>
  )
}
