import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Form, Link, useLocation, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/settings/download-all.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { NoScriptMessages, useActionToasts } from '#app/ui/toasts.tsx'
import { UnsavedChangesDialog } from '#app/ui/unsaved-changes-dialog.tsx'
import { focusSaveButton, readField, useStoredValues } from '#app/ui/use-stored-values.ts'
import css from './settings-page.module.css'
import { type Choices, SettingInput } from './setting-inputs.tsx'
import {
  type PageSettings,
  settingFields,
  type SettingGroup,
  type SettingKey,
  settingGroups,
} from './setting-groups.ts'
import { settingsTexts as texts } from './texts.ts'

type SettingsAnswer = ActionResult & { typed?: Partial<PageSettings> }

const links = [
  ['/manage/status/', texts.status],
  ['/manage/backups/', texts.backups],
  ['/manage/customer-data/', texts.customerData],
] as const

type Props = {
  settings: PageSettings
  /** the separate form in which the owner uploads the logo */
  logoForm: ReactNode
  /** the options that the server sends, for the selects with currencies and time zones */
  choices: Partial<Record<SettingKey, Choices>>
  answer: SettingsAnswer | undefined
}

export function SettingsPage({ settings, logoForm, choices, answer }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const isPending = useNavigation().formAction?.startsWith('/manage/settings') ?? false
  const shown = { ...settings, ...answer?.typed }
  useActionToasts(answer)
  const isJustSaved = useStoredValues(form, settings, isPending, answer)
  // After the server has refused the settings, the focus moves to the first field with an error. Until then, the field is inert.
  useEffect(() => {
    if (answer?.field && !isPending)
      form.current?.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
  }, [answer, isPending])
  const isChanged = () =>
    !isJustSaved() &&
    settingFields.some(({ key }) => readField(form.current, key) !== settings[key])
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
        className={`stack ${css.form} ${css.sections}`}
        aria-busy={isPending}
        onSubmit={focusSaveButton}
      >
        {settingGroups.map((group, index) => (
          <Section
            group={group}
            isFirst={index === 0}
            isPending={isPending}
            answer={answer}
            key={group.id}
          >
            {group.fields.map((field) => (
              <SettingInput
                field={field}
                value={shown[field.key]}
                choices={choices[field.key]}
                error={answer?.errors?.[field.key]}
                hasFocus={answer?.field === field.key}
                key={field.key}
              />
            ))}
          </Section>
        ))}
        <div className={css.save}>
          <NoScriptMessages answer={answer} />
          <button
            className="button"
            aria-disabled={isPending}
            aria-busy={isPending}
          >
            {texts.save}
          </button>
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
        <p className="soft">{texts.dataHint}</p>
        <DownloadAll back="/manage/settings/" />
      </section>
      <section
        className={css.more}
        id="maintenance"
      >
        <h2>{texts.maintenance}</h2>
        <ul role="list">
          {links.map(([to, text]) => (
            <li key={to}>
              <Link
                className="tap strong"
                to={to}
              >
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </main>
  )
}

type SectionProps = {
  group: SettingGroup
  isFirst: boolean
  isPending: boolean
  answer: SettingsAnswer | undefined
  children: ReactNode
}

/** The first section is open. Any other section opens only if it contains an error, or if the URL contains the id of this section. [OWN-120] */
function Section({
  group: { id, title, hint, fields },
  isFirst,
  isPending,
  answer,
  children,
}: SectionProps) {
  const details = useRef<HTMLDetailsElement>(null)
  const isNamed = useLocation().hash === `#${id}`
  const hasError = fields.some(({ key }) => answer?.errors?.[key])
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
        <h2 className="flush">{title}</h2>
      </summary>
      {hint && <p className="soft">{hint}</p>}
      {children}
    </details>
  )
}
