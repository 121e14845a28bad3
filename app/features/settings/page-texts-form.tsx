/** In this form, the owner edits the texts of a page. The fields are outside the form element and refer to this element with the attribute `form`, so that forms for pictures can be between the fields. */
import { useRef, type ReactNode } from 'react'
import { Link, useNavigation, useSubmit } from 'react-router'
import { Field, useFocusFirstInvalid } from '#app/ui/form-fields.tsx'
import { NoScriptMessages, useActionToasts } from '#app/ui/toasts.tsx'
import { hasUnsavedInput } from '#app/ui/has-unsaved-input.ts'
import { UnsavedChangesDialog } from '#app/ui/unsaved-changes-dialog.tsx'
import { focusSaveButton, useStoredValues } from '#app/ui/use-stored-values.ts'
import { pageTexts as texts, type PageTextsResult } from './page-texts.ts'
import css from './settings-page.module.css'

const FORM_ID = 'page-texts'

type Props = {
  title: string
  intro: string
  action: string
  /** the URL of the page that shows the texts to visitors */
  page: string
  /** the stored value of each field; 'yes' or '' for a checkbox */
  stored: Record<string, string>
  answer: PageTextsResult | undefined
  children: ReactNode
}

export function PageTextsEditor({ title, intro, action, page, stored, answer, children }: Props) {
  const main = useRef<HTMLElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const submit = useSubmit()
  const isPending = useNavigation().formData?.get('intent') === 'save'
  useActionToasts(answer)
  const isJustSaved = useStoredValues(form, stored, isPending, answer)
  // Waits for the end of the save, because inert fields cannot get the focus.
  useFocusFirstInvalid(main, isPending ? null : answer)
  return (
    <main
      className="page"
      id="main"
      ref={main}
    >
      <h1>{title}</h1>
      <p className="intro">
        {intro} <Link to={page}>{texts.seePage}</Link>
      </p>
      <div className={`stack ${css.form}`}>
        <form
          ref={form}
          id={FORM_ID}
          method="post"
          action={action}
          hidden
          onSubmit={(event) => {
            // The button "Preview" opens a new browser tab. For this, the browser must submit the form itself.
            if ((event.nativeEvent as SubmitEvent).submitter?.hasAttribute('formtarget')) return
            event.preventDefault()
            focusSaveButton(event)
            void submit(event.currentTarget, { preventScrollReset: true })
          }}
        >
          <input
            type="hidden"
            name="intent"
            value="save"
          />
        </form>
        <div
          className={`stack ${css.form}`}
          inert={isPending}
        >
          {children}
        </div>
        <div className={css.save}>
          <NoScriptMessages answer={answer} />
          <button
            className="button"
            form={FORM_ID}
            aria-disabled={isPending}
            aria-busy={isPending}
          >
            {texts.save}
          </button>
          <button
            className="button quiet"
            form={FORM_ID}
            formAction={`${action}preview/`}
            formTarget="_blank"
          >
            {texts.preview}
          </button>
        </div>
      </div>
      <UnsavedChangesDialog
        isChanged={() => !isJustSaved() && (answer?.ok === false || hasUnsavedInput(main.current))}
      />
    </main>
  )
}

export const TextGroup = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={`card flush slim ${css.group}`}>
    <legend className={`wide ${css.title}`}>{title}</legend>
    {children}
  </fieldset>
)

type TextFieldProps = {
  name: string
  label: string
  stored: string
  answer: PageTextsResult | undefined
  /** the number of lines of a textarea; undefined for an input with a single line */
  rows?: number
  hint?: string
}

export function TextField({ name, label, stored, answer, rows, hint }: TextFieldProps) {
  const defaultValue = String(answer?.typed?.[name] ?? stored)
  return (
    <Field
      label={label}
      name={name}
      id={name}
      error={answer?.errors?.[name]}
      hint={hint}
    >
      {(tied) => {
        // Without JavaScript, `autoFocus` moves the focus to the field with the error.
        const props = { ...tied, defaultValue, form: FORM_ID, autoFocus: answer?.field === name }
        return rows ? (
          <textarea
            rows={rows}
            {...props}
          />
        ) : (
          <input {...props} />
        )
      }}
    </Field>
  )
}

type CheckboxProps = {
  name: string
  label: string
  isStored: boolean
  answer: PageTextsResult | undefined
}

export const TextGroupCheckbox = ({ name, label, isStored, answer }: CheckboxProps) => (
  <div className="field">
    <label className="check">
      <input
        type="checkbox"
        form={FORM_ID}
        name={name}
        value="yes"
        defaultChecked={Boolean(answer?.typed?.[name] ?? isStored)}
      />
      {label}
    </label>
  </div>
)

/** If a text is invalid, the preview shows this list of errors instead of the page of the shop. */
export const RefusedPreview = ({ errors }: { errors: string[] }) => (
  <main
    className="page"
    id="main"
  >
    <h1>{texts.previewTitle}</h1>
    <p>{texts.correctFirst}</p>
    <ul>
      {errors.map((error) => (
        <li
          key={error}
          className="error"
        >
          {error}
        </li>
      ))}
    </ul>
  </main>
)

export const PreviewNotice = () => (
  <p
    className="notice flush centered-text"
    role="status"
  >
    {texts.previewNotice}
  </p>
)
