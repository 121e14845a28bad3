import { useEffect, useRef, useState, type ReactNode } from 'react'
import { SubmitButton } from '#ui/action-form.tsx'
import { Form, Link, useLocation, useNavigation } from 'react-router'
import { useFocusFirstInvalid } from '#ui/form-fields.tsx'
import { NoScriptMessages, useActionToasts } from '#ui/toasts.tsx'
import { UnsavedChangesDialog } from '#ui/unsaved-changes-dialog.tsx'
import { focusSaveButton, readField, useStoredValues } from '#ui/use-stored-values.ts'
import { DownloadAll } from './download-all.tsx'
import type { PageTextsResult } from './page-texts.server.ts'
import css from './settings-page.module.css'
import { type Choices, SettingField } from './setting-inputs.tsx'
import type { PageSettings, SettingSection } from './setting-declarations.server.ts'
import { settingsTexts as texts } from './texts.ts'

const links = [
  ['/manage/status/', texts.status],
  ['/manage/backups/', texts.backups],
  ['/manage/customer-data/', texts.customerData],
] as const

type SettingsPageProps = {
  settings: PageSettings
  sections: readonly SettingSection[]
  logoForm: ReactNode
  choices: Partial<Record<keyof PageSettings, Choices>>
  answer: PageTextsResult | undefined
}

export function SettingsPage({ settings, sections, logoForm, choices, answer }: SettingsPageProps) {
  const form = useRef<HTMLFormElement>(null)
  const isPending = useNavigation().formAction?.startsWith('/manage/settings') ?? false
  useActionToasts(answer)
  const isJustSaved = useStoredValues(form, settings, isPending, answer)
  // While the form is pending, its fields are inert and cannot get the focus.
  useFocusFirstInvalid(form, isPending ? null : answer)
  const isChanged = () =>
    !isJustSaved() &&
    sections.some(({ inputs }) =>
      inputs.some(({ key }) => readField(form.current, key) !== settings[key]),
    )
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.optional}</p>
      <Form
        ref={form}
        method="post"
        noValidate
        preventScrollReset
        className={`grid gap-4 ${css.form} ${css.sections}`}
        aria-busy={isPending}
        onSubmit={focusSaveButton}
      >
        {sections.map((section, index) => (
          <Section
            section={section}
            settings={settings}
            choices={choices}
            answer={answer}
            isFirst={index === 0}
            isPending={isPending}
            key={section.id}
          />
        ))}
        <div className={css.save}>
          <NoScriptMessages answer={answer} />
          <SubmitButton isPending={isPending}>{texts.save}</SubmitButton>
          <Link
            className="tap"
            to="/"
          >
            {texts.seeShop}
          </Link>
        </div>
        <UnsavedChangesDialog isChanged={isChanged} />
      </Form>
      <section
        className={`card ${css.group} ${css.logo}`}
        id="logo"
      >
        <h2>{texts.logo}</h2>
        {logoForm}
      </section>
      <section
        className={css.copy}
        id="data"
      >
        <h2>{texts.data}</h2>
        <p className="text-soft">{texts.dataHint}</p>
        <DownloadAll back="/manage/settings/" />
      </section>
      <Maintenance />
    </main>
  )
}

const Maintenance = () => (
  <section
    className={css.more}
    id="maintenance"
  >
    <h2>{texts.maintenance}</h2>
    <ul role="list">
      {links.map(([to, text]) => (
        <li key={to}>
          <Link
            className="tap font-semibold"
            to={to}
          >
            {text}
          </Link>
        </li>
      ))}
    </ul>
  </section>
)

type SectionProps = Pick<SettingsPageProps, 'settings' | 'choices' | 'answer'> & {
  section: SettingSection
  isFirst: boolean
  isPending: boolean
}

function Section({ section, settings, choices, answer, isFirst, isPending }: SectionProps) {
  const { id, title, hint, inputs } = section
  const values = { ...settings, ...answer?.typed }
  const details = useRef<HTMLDetailsElement>(null)
  const isNamed = useLocation().hash === `#${id}`
  const hasError = inputs.some(({ key }) => answer?.errors?.[key])
  const [wasOpen] = useState(isFirst || hasError)
  useEffect(() => {
    if ((isNamed || hasError) && details.current) details.current.open = true
  }, [isNamed, hasError, answer])
  return (
    <details
      ref={details}
      className={`card fold arrow ${css.section}`}
      id={id}
      open={wasOpen}
      inert={isPending}
    >
      <summary>
        <h2 className="m-0">{title}</h2>
      </summary>
      {hint && <p className="text-soft">{hint}</p>}
      {inputs.map((input) => (
        <SettingField
          input={input}
          value={values[input.key]}
          choices={choices[input.key]}
          error={answer?.errors?.[input.key]}
          hasFocus={answer?.field === input.key}
          key={input.key}
        />
      ))}
    </details>
  )
}
