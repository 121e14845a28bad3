import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/settings/download-all.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { NoScriptMessages, useActionToasts } from '#app/ui/toasts.tsx'
import { UnsavedChangesDialog } from '#app/ui/unsaved-changes-dialog.tsx'
import css from './settings-page.module.css'
import { settingFields, type SettingKey, settingGroups } from './setting-groups.ts'
import type { ShopSettings } from './shop-settings.ts'
import { settingsTexts as texts } from './texts.ts'

type SettingsAnswer = ActionResult & { typed?: Partial<ShopSettings> }

const links = [
  ['/manage/status/', texts.status],
  ['/manage/backups/', texts.backups],
  ['/manage/customer-data/', texts.customerData],
] as const

type Props = {
  settings: ShopSettings
  /** shown below their fields */
  warnings: Partial<Record<SettingKey, string>>
  answer: SettingsAnswer | undefined
}

export function SettingsPage({ settings, warnings, answer }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const isPending = useNavigation().formAction?.startsWith('/manage/settings') ?? false
  useActionToasts(answer)
  // Moves the focus to the first field that was refused.
  useEffect(() => {
    if (answer?.field) form.current?.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
  }, [answer])
  // The shop may store a text in another form than it was typed, such as the URL of '@name'.
  const showStored = useEffectEvent(() => settingFields.forEach(({ key }) => write(form.current, key, settings[key])))
  useEffect(() => {
    if (answer?.ok) showStored()
  }, [answer])
  const isChanged = () => settingFields.some(({ key }) => read(form.current, key) !== settings[key])
  return (
    <main className="page" id="main">
      <h1>{texts.title}</h1>
      <p className="intro">{texts.optional}</p>
      <nav aria-label={texts.sections} className={`choices ${css.sections}`}>
        {[...settingGroups, { id: 'data', title: texts.data }, { id: 'maintenance', title: texts.maintenance }].map(({ id, title }) => (
          <a href={`#${id}`} key={id}>
            {title}
          </a>
        ))}
      </nav>
      <Form ref={form} method="post" noValidate preventScrollReset className={`stack ${css.form}`} aria-busy={isPending}>
        {settingGroups.map(({ id, title, hint }) => (
          <fieldset className={`card flush slim ${css.group}`} id={id} key={id}>
            <legend className={`wide ${css.title}`}>{title}</legend>
            {hint && <p className="soft">{hint}</p>}
            <SettingInputs groupId={id} {...{ settings, warnings, answer }} />
          </fieldset>
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
        <UnsavedChangesDialog isChanged={isChanged} canKeep={() => false} onLeave={() => {}} />
      </Form>
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

function SettingInputs({ groupId, settings, warnings, answer }: Props & { groupId: string }): ReactNode {
  const shown = { ...settings, ...answer?.typed }
  return settingGroups
    .find(({ id }) => id === groupId)
    ?.fields.map(({ key, type = 'text', hint, rows = 5, options = [] }) =>
      type === 'checkbox' ? (
        <div className="field" key={key}>
          <label className="check">
            <input type="checkbox" name={key} value="yes" defaultChecked={shown[key] === true} />
            {texts.fields[key]}
          </label>
          {warnings[key] && <p className="hint flush">{warnings[key]}</p>}
        </div>
      ) : (
        <Field label={texts.fields[key]} name={key} id={key} error={answer?.errors?.[key]} hint={warnings[key] ?? hint} key={key}>
          {(tied) => {
            // Without JavaScript the page starts at its top, so the focus moves to the first error.
            const props = { ...tied, defaultValue: String(shown[key]), autoFocus: answer?.field === key }
            if (type === 'textarea') return <textarea rows={rows} {...props} />
            if (type !== 'select') return <input type={type} {...props} />
            return (
              <select {...props}>
                {options.map(({ value, label }) => (
                  <option value={value} key={value}>
                    {label}
                  </option>
                ))}
              </select>
            )
          }}
        </Field>
      ),
    )
}

const controlOf = (form: HTMLFormElement | null, key: SettingKey) =>
  form?.elements.namedItem(key) as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | null | undefined
const isCheckbox = (control: ReturnType<typeof controlOf>): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox'

function read(form: HTMLFormElement | null, key: SettingKey): string | boolean | undefined {
  const control = controlOf(form, key)
  return isCheckbox(control) ? control.checked : control?.value.trim()
}

function write(form: HTMLFormElement | null, key: SettingKey, value: string | boolean): void {
  const control = controlOf(form, key)
  if (isCheckbox(control)) control.checked = value === true
  else if (control) control.value = String(value)
}
