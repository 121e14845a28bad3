import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { Form, Link, useLocation, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/settings/download-all.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { NoScriptMessages, useActionToasts } from '#app/ui/toasts.tsx'
import { UnsavedChangesDialog } from '#app/ui/unsaved-changes-dialog.tsx'
import css from './settings-page.module.css'
import { type Choices, SettingInput } from './setting-inputs.tsx'
import { type PageSettings, settingFields, type SettingGroup, type SettingKey, settingGroups } from './setting-groups.ts'
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
  // After the server has refused the settings, the focus moves to the first field with an error.
  useEffect(() => {
    if (answer?.field) form.current?.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
  }, [answer])
  // After a successful save, the fields show the stored values. For example, a field shows the URL that the shop has stored for '@name'.
  const showStored = useEffectEvent(() => settingFields.forEach(({ key }) => write(form.current, key, settings[key])))
  // `isSaved` becomes true only after the page has loaded the new `settings`, which arrive after the response to the form.
  const isSaved = answer?.ok === true && !isPending
  useEffect(() => {
    if (isSaved) showStored()
  }, [isSaved, answer])
  const isChanged = () => settingFields.some(({ key }) => read(form.current, key) !== settings[key])
  return (
    <main className="page" id="main">
      <h1>{texts.title}</h1>
      <p className="intro">{texts.optional}</p>
      <Form ref={form} method="post" noValidate preventScrollReset className={`stack ${css.form} ${css.sections}`} aria-busy={isPending}>
        {settingGroups.map((group, index) => (
          <Section group={group} isFirst={index === 0} answer={answer} key={group.id}>
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
          <button className="button" aria-disabled={isPending} aria-busy={isPending}>
            {texts.save}
          </button>
          <Link className="tap" to="/">
            {texts.seeShop}
          </Link>
        </div>
        <UnsavedChangesDialog isChanged={isChanged} />
      </Form>
      <section className={`card ${css.group} ${css.logo}`} id="logo">
        <h2>{texts.logo}</h2>
        {logoForm}
      </section>
      <section className={css.copy} id="data">
        <h2>{texts.data}</h2>
        <p className="soft">{texts.dataHint}</p>
        <DownloadAll back="/manage/settings/" />
      </section>
      <section className={css.more} id="maintenance">
        <h2>{texts.maintenance}</h2>
        <ul role="list">
          {links.map(([to, text]) => (
            <li key={to}>
              <Link className="tap strong" to={to}>
                {text}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </main>
  )
}

type SectionProps = { group: SettingGroup; isFirst: boolean; answer: SettingsAnswer | undefined; children: ReactNode }

/** The first section is open. Any other section opens only if it contains an error, or if the URL contains the id of this section. [OWN-120] */
function Section({ group: { id, title, hint, fields }, isFirst, answer, children }: SectionProps) {
  const details = useRef<HTMLDetailsElement>(null)
  const isNamed = useLocation().hash === `#${id}`
  const hasError = fields.some(({ key }) => answer?.errors?.[key])
  const [wasOpen] = useState(isFirst || hasError)
  useEffect(() => {
    if ((isNamed || hasError) && details.current) details.current.open = true
  }, [isNamed, hasError, answer])
  return (
    <details ref={details} className={`card fold arrow ${css.section}`} id={id} open={wasOpen}>
      <summary>
        <h2 className="flush">{title}</h2>
      </summary>
      {hint && <p className="soft">{hint}</p>}
      {children}
    </details>
  )
}

const controlOf = (form: HTMLFormElement | null, key: SettingKey) =>
  form?.elements.namedItem(key) as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | null | undefined
const isCheckbox = (control: ReturnType<typeof controlOf>): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox'

function read(form: HTMLFormElement | null, key: SettingKey): string | undefined {
  const control = controlOf(form, key)
  return isCheckbox(control) ? (control.checked ? 'yes' : '') : control?.value.trim()
}

function write(form: HTMLFormElement | null, key: SettingKey, value: string): void {
  const control = controlOf(form, key)
  if (isCheckbox(control)) control.checked = value === 'yes'
  else if (control) control.value = value
}
