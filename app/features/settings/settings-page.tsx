import { useEffect, useRef } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/settings/download-all.tsx'
import type { Answer } from '#app/ui/answer.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { ToldWithoutScript, useAnswerToasts } from '#app/ui/toasts.tsx'
import css from './settings-page.module.css'
import type { ShopSettings } from './shop-settings.ts'

type TextKey = Exclude<keyof ShopSettings, 'isPromoShown'>
type SettingsAnswer = Answer & { typed?: Partial<ShopSettings> }

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
      <Form ref={form} method="post" noValidate preventScrollReset className={`stack ${css.form}`} aria-busy={isPending}>
        {groups.map(({ title, fields }) => (
          <fieldset className={`card flush slim ${css.group}`} key={title}>
            <legend className={`wide ${css.title}`}>{title}</legend>
            {fields.map(({ key, label, type = 'text' }) => (
              <Field label={label} name={key} id={key} error={answer?.field === key ? answer.error : undefined} key={key}>
                {(tied) =>
                  type === 'textarea' ? (
                    <textarea rows={5} {...tied} defaultValue={shown[key]} />
                  ) : (
                    <input type={type} {...tied} defaultValue={shown[key]} />
                  )
                }
              </Field>
            ))}
            {title === 'The shop' && (
              <label className="check">
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
            <Link className="tap strong" to="/manage/status/">
              How the shop is doing
            </Link>
          </li>
          <li>
            <Link className="tap strong" to="/manage/backups/">
              Backups of the whole shop
            </Link>
          </li>
          <li>
            <Link className="tap strong" to="/manage/customer-data/">
              A customer asks for their data, or wants to be deleted
            </Link>
          </li>
        </ul>
      </section>
    </main>
  )
}
