/** The owner's form over the shop's own words and addresses. */
import { useEffect, useRef } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/documents/download-all.tsx'
import type { Answer } from '#app/ui/answer.ts'
import { ToldWithoutScript, useAnswerToasts } from '#app/ui/toasts.tsx'
import css from './settings-page.module.css'
import type { ShopSettings } from './shop-settings.ts'

type TextKey = Exclude<keyof ShopSettings, 'isPromoShown'>
export type SettingsAnswer = Answer & { typed?: Partial<ShopSettings> }

const groups: { title: string; fields: { key: TextKey; label: string; type?: string }[] }[] = [
  {
    title: 'The shop',
    fields: [
      { key: 'name', label: 'Shop name' },
      { key: 'ownerName', label: "Owner's name" },
      { key: 'city', label: 'City' },
      { key: 'email', label: 'Email', type: 'email' },
      { key: 'phone', label: 'Phone', type: 'tel' },
    ],
  },
  {
    title: 'Pages elsewhere',
    fields: [
      { key: 'facebookHandle', label: 'Facebook handle' },
      { key: 'facebookUrl', label: 'Facebook page', type: 'url' },
      { key: 'instagramHandle', label: 'Instagram handle' },
      { key: 'instagramUrl', label: 'Instagram page', type: 'url' },
    ],
  },
  {
    title: 'Texts',
    fields: [
      { key: 'terms', label: 'Terms and Conditions', type: 'textarea' },
      { key: 'thankYouLetter', label: 'Thank-you letter', type: 'textarea' },
    ],
  },
]

export function SettingsPage({ settings, answer }: { settings: ShopSettings; answer: SettingsAnswer | undefined }) {
  const form = useRef<HTMLFormElement>(null)
  const isPending = useNavigation().formAction?.startsWith('/manage/settings') ?? false
  const shown = { ...settings, ...answer?.typed }
  useAnswerToasts(answer)
  // The focus is the browser's: it goes to what was refused.
  useEffect(() => {
    if (answer?.field) form.current?.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
  }, [answer])
  return (
    <main className="page" id="main">
      <h1>Settings</h1>
      <Form ref={form} method="post" noValidate preventScrollReset className={css.form} aria-busy={isPending}>
        {groups.map(({ title, fields }) => (
          <fieldset className={`card ${css.group}`} key={title}>
            <legend className={css.title}>{title}</legend>
            {fields.map(({ key, label, type = 'text' }) => {
              const error = answer?.field === key ? answer.error : undefined
              const shared = {
                id: key,
                name: key,
                className: 'input',
                defaultValue: shown[key],
                'aria-invalid': error ? true : undefined,
                'aria-describedby': error ? `${key}-error` : undefined,
              }
              return (
                <div className="field" key={key}>
                  <label htmlFor={key}>{label}</label>
                  {type === 'textarea' ? <textarea rows={5} {...shared} /> : <input type={type} {...shared} />}
                  {error && (
                    <p className="error" id={`${key}-error`}>
                      {error}
                    </p>
                  )}
                </div>
              )
            })}
            {title === 'The shop' && (
              <label className={css.check}>
                <input type="checkbox" name="isPromoShown" value="yes" defaultChecked={shown.isPromoShown} />
                Show the 50% off banner on Home
              </label>
            )}
          </fieldset>
        ))}
        <ToldWithoutScript answer={answer} />
        <button className="button" aria-disabled={isPending}>
          Save
        </button>
      </Form>
      <section className={css.copy}>
        <h2>Your own copy</h2>
        <p className="soft">Everything that the shop keeps, as one file: catalogue, conversations, sales, testimonies.</p>
        <DownloadAll back="/manage/settings/" />
      </section>
      <section className={css.more}>
        <h2>Looking after the shop</h2>
        <ul role="list">
          <li>
            <Link to="/manage/status/">How the shop is doing</Link>
          </li>
          <li>
            <Link to="/manage/backups/">Backups of the whole shop</Link>
          </li>
          <li>
            <Link to="/manage/customer-data/">A customer asks for their data, or wants to be deleted</Link>
          </li>
        </ul>
      </section>
    </main>
  )
}
