import { useEffect, useRef } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { DownloadAll } from '#app/features/settings/download-all.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { NoScriptMessages, useActionToasts } from '#app/ui/toasts.tsx'
import css from './settings-page.module.css'
import type { ShopSettings } from './shop-settings.ts'
import { settingsTexts as texts } from './texts.ts'

type TextKey = Exclude<keyof ShopSettings, 'isPromoShown'>
type SettingsAnswer = ActionResult & { typed?: Partial<ShopSettings> }

const groups: { title: string; fields: { key: TextKey; type?: string; hint?: string }[] }[] = [
  {
    title: texts.shop,
    fields: [{ key: 'name' }, { key: 'ownerName' }, { key: 'city' }, { key: 'email', type: 'email' }, { key: 'phone', type: 'tel' }],
  },
  {
    title: texts.pagesElsewhere,
    fields: [
      { key: 'facebook', hint: texts.socialHint },
      { key: 'instagram', hint: texts.socialHint },
    ],
  },
  {
    title: texts.texts,
    fields: [
      { key: 'terms', type: 'textarea' },
      { key: 'thankYouLetter', type: 'textarea' },
    ],
  },
]

const links = [
  ['/manage/status/', texts.status],
  ['/manage/backups/', texts.backups],
  ['/manage/customer-data/', texts.customerData],
] as const

type Props = { settings: ShopSettings; hasDiscounts: boolean; answer: SettingsAnswer | undefined }

export function SettingsPage({ settings, hasDiscounts, answer }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const isPending = useNavigation().formAction?.startsWith('/manage/settings') ?? false
  const shown = { ...settings, ...answer?.typed }
  useActionToasts(answer)
  // Moves the focus to the field that was refused.
  useEffect(() => {
    if (answer?.field) form.current?.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
  }, [answer])
  return (
    <main className="page" id="main">
      <h1>{texts.title}</h1>
      <p className="intro">{texts.optional}</p>
      <Form ref={form} method="post" noValidate preventScrollReset className={`stack ${css.form}`} aria-busy={isPending}>
        {groups.map(({ title, fields }) => (
          <fieldset className={`card flush slim ${css.group}`} key={title}>
            <legend className={`wide ${css.title}`}>{title}</legend>
            {fields.map(({ key, type = 'text', hint }) => (
              <Field
                label={texts.fields[key]}
                name={key}
                id={key}
                error={answer?.field === key ? answer.error : undefined}
                hint={hint}
                key={key}
              >
                {(tied) =>
                  type === 'textarea' ? (
                    <textarea rows={5} {...tied} defaultValue={shown[key]} />
                  ) : (
                    <input type={type} {...tied} defaultValue={shown[key]} />
                  )
                }
              </Field>
            ))}
            {title === texts.shop && (
              <label className="check">
                <input type="checkbox" name="isPromoShown" value="yes" defaultChecked={shown.isPromoShown} />
                {texts.isPromoShown}
              </label>
            )}
            {title === texts.shop && settings.isPromoShown && !hasDiscounts && <p className="hint">{texts.noDiscount}</p>}
          </fieldset>
        ))}
        <NoScriptMessages answer={answer} />
        <button className="button" aria-disabled={isPending}>
          {texts.save}
        </button>
      </Form>
      <section className={css.copy}>
        <h2>{texts.data}</h2>
        <p className="soft">{texts.dataHint}</p>
        <DownloadAll back="/manage/settings/" />
      </section>
      <section className={css.more}>
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
