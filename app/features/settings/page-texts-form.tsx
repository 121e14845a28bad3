import { useRef, type ReactNode } from 'react'
import { SubmitButton } from '#ui/action-form.tsx'
import { Link, useNavigation, useSubmit } from 'react-router'
import { useFocusFirstInvalid } from '#ui/form-fields.tsx'
import { NoScriptMessages, useActionToasts } from '#ui/toasts.tsx'
import { hasUnsavedInput, UnsavedChangesDialog } from '#ui/unsaved-changes-dialog.tsx'
import { focusSaveButton, useStoredValues } from '#ui/use-stored-values.ts'
import type { PageTextInput, PageTextSection, PageTextsResult } from './page-texts.server.ts'
import { SettingField } from './setting-inputs.tsx'
import css from './settings-page.module.css'
import { pageTexts as texts } from './texts.ts'

/**
 * The fields name their form, because forms for images stand between them and forms cannot be
 * nested.
 */
const FORM_ID = 'page-texts'

type PageTextsEditorProps = {
  title: string
  intro: string
  action: string
  page: string
  sections: PageTextSection[]
  answer: PageTextsResult | undefined
  children: ReactNode
}

export function PageTextsEditor({
  title,
  intro,
  action,
  page,
  sections,
  answer,
  children,
}: PageTextsEditorProps) {
  const inputs = sections.flatMap((section) => section.inputs)
  const stored = Object.fromEntries(inputs.map(({ key, value }) => [key, value]))
  const main = useRef<HTMLElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const submit = useSubmit()
  const isPending = useNavigation().formData?.get('intent') === 'save'
  useActionToasts(answer)
  const isJustSaved = useStoredValues(form, stored, isPending, answer)
  // While the form is pending, its fields are inert and cannot get the focus.
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
      <div className={`grid gap-4 ${css.form}`}>
        <form
          ref={form}
          id={FORM_ID}
          method="post"
          action={action}
          hidden
          onSubmit={(event) => {
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
          className={`grid gap-4 ${css.form}`}
          inert={isPending}
        >
          {children}
        </div>
        <div className={css.save}>
          <NoScriptMessages answer={answer} />
          <SubmitButton
            form={FORM_ID}
            isPending={isPending}
          >
            {texts.save}
          </SubmitButton>
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
  <fieldset className={`card m-0 min-w-0 ${css.group}`}>
    <legend className={`w-full ${css.title}`}>{title}</legend>
    {children}
  </fieldset>
)

type TextInputProps = { input: PageTextInput; answer: PageTextsResult | undefined }

export const TextInput = ({ input, answer }: TextInputProps) => (
  <SettingField
    input={input}
    value={answer?.typed?.[input.key] ?? input.value}
    error={answer?.errors?.[input.key]}
    hasFocus={answer?.field === input.key}
    form={FORM_ID}
  />
)

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
    className="notice m-0 text-center"
    role="status"
  >
    {texts.previewNotice}
  </p>
)
