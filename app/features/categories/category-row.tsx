/** One category as visitors see its banner, and behind "Edit" what can be changed of it. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { ChevronDown } from '#app/ui/icons.tsx'
import type { Answer } from '#app/ui/answer.ts'
import { useHasScript } from '#app/ui/back-field.tsx'
import { Field, HiddenFields } from '#app/ui/form-fields.tsx'
import { Picture } from '#app/ui/picture.tsx'
import type { Category } from '#app/features/catalog/catalog.ts'
import { PictureField } from '#app/features/images/picture-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { NO_COLOR, readThemeColor, refuseTitle } from './category.ts'
import css from './category-row.module.css'

export function CategoryRow({ category, handle, children }: { category: Category; handle: ReactNode; children: ReactNode }) {
  const title = useDraft(category.title)
  const color = useDraft(category.color)
  const tint = readThemeColor(color.value) ?? category.color
  return (
    <div className={`card ${css.row}`} style={{ '--tint': tint }}>
      <div className={`row slim ${css.banner}`}>
        {handle}
        {/* All banners are of one height, whatever the titles: they are pulled past each other. */}
        <h2 className={`two-lines flush slim ${css.title}`}>{title.value.trim() || category.title}</h2>
        {category.picture && <Picture className={`photo ${css.picture}`} picture={category.picture} alt="" sizes="4rem" />}
      </div>
      <details className={`fold anchor ${css.details}`}>
        <summary className={`round ${css.summary}`} aria-label={`Edit ${category.title}`}>
          Edit
          <ChevronDown aria-hidden size={18} />
        </summary>
        <div className={`stack ${css.body}`}>
          <CategoryForm category={category} title={title} color={color} />
          <div className={`stack ${css.samples}`} aria-hidden>
            {(['dark', 'light'] as const).map((theme) => (
              <div key={theme} className={`slim ${css.sample}`} data-theme={theme}>
                <b className="two-lines">{title.value.trim() || category.title}</b>
                <span>{theme === 'dark' ? 'In the dark theme' : 'In the light theme'}</span>
              </div>
            ))}
          </div>
          <PictureForm category={category} />
          {children}
        </div>
      </details>
    </div>
  )
}

/** CATEGORY-04, CATEGORY-08 to CATEGORY-11 */
function PictureForm({ category }: { category: Category }) {
  const fetcher = useFetcher<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const isBusy = fetcher.state !== 'idle'
  const { data } = fetcher
  // A file field keeps its file until the document's form is reset.
  useEffect(() => {
    if (data?.ok) form.current?.reset()
  }, [data])
  return (
    <fetcher.Form ref={form} method="post" encType="multipart/form-data" className={`stack slim ${css.pictureForm}`}>
      <HiddenFields id={category.id} />
      <PictureField label="Image" error={data?.error} />
      <button
        className="button quiet"
        name="intent"
        value="picture"
        aria-disabled={isBusy}
        aria-label={`Change image of ${category.title}`}
      >
        {isBusy ? 'Uploading…' : 'Change image'}
      </button>
    </fetcher.Form>
  )
}

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
      className={`cluster slim ${css.form}`}
      onSubmit={(event) => {
        if (titleError || colorError || !isDirty) event.preventDefault()
        note()
      }}
      onBlur={({ relatedTarget }) => !form.current?.contains(relatedTarget) && save()}
    >
      <HiddenFields intent="save" id={category.id} wasTitle={title.was} wasColor={color.was} />
      <Field
        id={`title-${category.id}`}
        label="Title"
        name="title"
        className={`slim ${css.categoryFormTitle}`}
        error={titleError ?? errorOf(data, 'title')}
      >
        {(tied) => <input {...tied} value={title.value} onChange={(event) => title.type(event.currentTarget.value)} />}
      </Field>
      <Field label="Theme color" name="color" className={`slim ${css.color}`} error={colorError ?? errorOf(data, 'color')}>
        {(tied) => (
          <span className={css.colors}>
            <input
              className={`rigid ${css.picker}`}
              ref={picker}
              type="color"
              name={hasScript ? undefined : 'picked'}
              aria-label={`Pick the theme color of ${category.title}`}
              value={readThemeColor(color.value) ?? category.color}
              onChange={(event) => color.type(event.currentTarget.value)}
            />
            <input
              {...tied}
              value={color.value}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => color.type(event.currentTarget.value)}
            />
          </span>
        )}
      </Field>
      <div className={`aligned soft ${css.state}`}>
        {hasScript && !isDirty ? (
          <span role="status">{state !== 'idle' ? 'Saving…' : data?.ok ? 'Saved' : ''}</span>
        ) : (
          <button className="button" aria-disabled={titleError || colorError ? true : undefined} aria-label={`Save ${category.title}`}>
            {state === 'idle' ? 'Save' : 'Saving…'}
          </button>
        )}
      </div>
      <p className={`small flush ${css.elsewhere}`} role="status">
        {title.isElsewhere && `Another window has just saved “${category.title}”. Saving writes yours over it.`}
      </p>
    </saving.Form>
  )
}

const errorOf = (data: Answer | undefined, field: string) => (data?.field === field ? data.error : undefined)

export type Draft = {
  value: string
  /** what was stored when the typing began */
  was: string
  isDirty: boolean
  /** another window has saved something else since then */
  isElsewhere: boolean
  type: (value: string) => void
  /** back to what is stored */
  forget: () => void
}

export function useDraft(stored: string): Draft {
  const [typed, setTyped] = useState<{ value: string; was: string } | null>(null)
  const isDirty = typed !== null && typed.value !== stored
  const was = isDirty ? typed.was : stored
  return {
    value: typed?.value ?? stored,
    was,
    isDirty,
    isElsewhere: was !== stored,
    type: (value) => setTyped({ value, was }),
    forget: () => setTyped(null),
  }
}
