import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Form, Link, useNavigate, useNavigation, useSearchParams } from 'react-router'
import { AtSign, Camera, Mail, MapPin, Phone, UserPlus, Users } from '#app/ui/icons.tsx'
import { linesOf, type ShopSettings, socialHandle } from '#app/features/settings/shop-settings.ts'
import { type QrDrawing, QrCode } from '#app/ui/qr-code.tsx'
import { KnotMark } from '#app/ui/layout/knot-mark.tsx'
import { type ContactField, type Tab, parseTab, tabsOf } from './contact.ts'
import type { ContactAnswer } from './contact.server.ts'
import { contactFormTexts, contactPageTexts as texts, contactTexts, tabTexts } from './texts.ts'
import css from './contact-page.module.css'
import { Field } from '#app/ui/form-fields.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { NoScriptMessages, useActionToasts } from '#app/ui/toasts.tsx'

type Props = {
  settings: ShopSettings
  qr: { facebook: QrDrawing | null; instagram: QrDrawing | null }
  answer: ContactAnswer | undefined
  stamp: string
}

export function ContactPage({ settings, qr, answer, stamp }: Props) {
  const tabs = tabsOf(settings)
  const mention = linesOf(settings.mention)
  const tab = useOpenTab(tabs)
  return (
    <main className={`page stack ${css.page}`} id="main">
      <header className={css.head}>
        <h1>{texts.title}</h1>
        <p className="intro">{texts.intro}</p>
      </header>
      <div className={`stack ${css.ways}`}>
        <ContactTabs tabs={tabs} open={tab} />
        {tabs.map((name) => (
          <section
            key={name}
            role="tabpanel"
            id={`panel-${name}`}
            aria-labelledby={name === tab ? `tab-${name}` : undefined}
            hidden={name !== tab}
            className={`card ${css.panel}`}
          >
            {(name === 'facebook' || name === 'instagram') && <SocialTab title={tabTexts[name]} url={settings[name]} qr={qr[name]!} />}
            {name === 'mail' && (
              <>
                <h2>{contactFormTexts.title(settings.name)}</h2>
                <ContactForm answer={answer} stamp={stamp} />
              </>
            )}
            {name === 'phone' && <BusinessCard settings={settings} />}
          </section>
        ))}
      </div>
      <aside className={css.beside} aria-label={texts.beside}>
        {tab !== 'phone' && (
          <div className={css.onDesk}>
            <BusinessCard settings={settings} />
          </div>
        )}
        {mention.length > 0 && <GoodToMention lines={mention} />}
      </aside>
    </main>
  )
}

/** Renders the tab of a social page. The QR code is hidden until the visitor opens it. [CONTACT-02 to CONTACT-05, S-030] */
function SocialTab({ title, url, qr }: { title: string; url: string; qr: QrDrawing }) {
  return (
    <div className={`centered-text ${css.elsewhere}`}>
      <h2>{title}</h2>
      <p className="soft">{texts.news}</p>
      <p className={css.handle}>
        <a className="tap" href={url} rel="noopener" target="_blank">
          {socialHandle(url)}
        </a>
      </p>
      <details className={`fold ${css.qr}`}>
        <summary className="button quiet">{texts.qrCode}</summary>
        <QrCode drawing={qr} width={232} label={texts.qrCodeOf(title)} />
        <p className="soft">{texts.qrHint}</p>
      </details>
    </div>
  )
}

function GoodToMention({ lines }: { lines: readonly string[] }) {
  return (
    <section className={css.mention} aria-labelledby="mention">
      <h2 id="mention">{texts.mention}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

const icons = { facebook: Users, instagram: Camera, mail: Mail, phone: Phone }

/** Reads from the URL which tab of the contact page is open. Selecting a tab sends no HTTP request, so the tabs also work offline. */
const useOpenTab = (tabs: readonly Tab[]): Tab => parseTab(useSearchParams()[0].get('tab'), tabs)

/** Renders the tabs as links, so that they work without JavaScript. This component handles the arrow keys itself, because a library for tabs would add 5 kB. [CONTACT-01] */
function ContactTabs({ tabs, open }: { tabs: readonly Tab[]; open: Tab }) {
  const navigate = useNavigate()
  /** Opens the next or previous tab of the contact page. Starts from the focused tab, because the URL may be out of date when the visitor presses keys quickly. */
  function step(event: KeyboardEvent, from: Tab) {
    const last = tabs.length - 1
    const at = tabs.indexOf(from)
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key]
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    document.getElementById(`tab-${tabs[next]}`)?.focus()
    void navigate(`?tab=${tabs[next]}`, { replace: true, preventScrollReset: true, defaultShouldRevalidate: false })
  }
  return (
    <div role="tablist" aria-label={texts.tabs} className={`card stack ${css.tabs}`}>
      {tabs.map((name) => {
        const Icon = icons[name]
        return (
          <Link
            key={name}
            role="tab"
            id={`tab-${name}`}
            to={`?tab=${name}`}
            replace
            preventScrollReset
            defaultShouldRevalidate={false}
            aria-selected={name === open}
            aria-controls={`panel-${name}`}
            tabIndex={name === open ? 0 : -1}
            className={`row soft small strong undecorated ${css.tab}`}
            onKeyDown={(event) => step(event, name)}
          >
            <Icon size={20} aria-hidden="true" />
            {tabTexts[name]}
          </Link>
        )
      })}
    </div>
  )
}

type BusinessCardProps = { settings: Pick<ShopSettings, 'name' | 'ownerName' | 'phone' | 'email' | 'city'> }

function BusinessCard({ settings: { name, ownerName, phone, email, city } }: BusinessCardProps) {
  return (
    <div className={css.hung}>
      <svg className={`anchor ${css.cord}`} viewBox="0 0 48 72" width="48" height="72" fill="none" strokeWidth="3.5" aria-hidden="true">
        <path d="M22 0v22M26 0v22" stroke="var(--accent)" />
        <path d="M23 26c-12 9-12 27 1 36M25 26c12 9 12 27-1 36" stroke="var(--accent)" strokeLinecap="round" />
        <path d="M16 19h16M15.500 24h17M17 29h14" stroke="var(--second)" strokeWidth="5" strokeLinecap="round" />
      </svg>
      <address className={`centered-text wide anchor ${css.card}`} aria-label={texts.businessCard}>
        <span className={css.hole} aria-hidden="true" />
        <KnotMark className={css.mark} />
        <strong className={css.shop}>{name}</strong>
        {ownerName && <span className={`soft ${css.maker}`}>{ownerName}</span>}
        <ul role="list" className={css.lines}>
          {phone && (
            <li className="cluster">
              <Phone size={18} aria-hidden="true" />
              <a className="tap" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
                {phone}
              </a>
            </li>
          )}
          {email && (
            <li className="cluster">
              <AtSign size={18} aria-hidden="true" />
              <a className="tap" href={`mailto:${email}`}>
                {email}
              </a>
            </li>
          )}
          {city && (
            <li className="cluster">
              <MapPin size={18} aria-hidden="true" />
              <span>{city}</span>
            </li>
          )}
        </ul>
      </address>
      <a className={`button quiet ${css.save}`} href="/contact/card.vcf" download>
        <UserPlus size={18} aria-hidden="true" />
        {texts.saveCard}
      </a>
    </div>
  )
}

const fields: { name: ContactField; type: string; autoComplete?: string; hint?: string }[] = [
  { name: 'name', type: 'text', autoComplete: 'name' },
  { name: 'email', type: 'email', autoComplete: 'email' },
  { name: 'phone', type: 'tel', autoComplete: 'tel', hint: contactFormTexts.phoneHint },
  { name: 'message', type: 'textarea' },
]

/** The form does not send a longer message. The server would refuse a longer form unread, and the typed text would be lost. */
const MAX_FORM_CHARACTERS = 25_000

function ContactForm({ answer, stamp }: Pick<Props, 'answer' | 'stamp'>) {
  const form = useRef<HTMLFormElement>(null)
  const navigation = useNavigation()
  const isPending = navigation.formAction?.startsWith('/contact') ?? false
  const { typed, note, ...stored } = useTypedValues(answer, stamp)
  useActionToasts(answer)
  // After the server has sent the message, the form is cleared. After an error, the focus moves to the invalid field. [S-035]
  useEffect(() => {
    if (!answer || !form.current) return
    if (answer.ok) form.current.reset()
    else if (answer.field) form.current.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
    // The honeypot field is cleared, because a browser may have filled it in, and the visitor's next attempt must succeed.
    form.current.querySelector<HTMLInputElement>('[name="website"]')!.value = ''
  }, [answer])
  const holdBack = (event: FormEvent<HTMLFormElement>) => {
    const message = event.currentTarget.querySelector('textarea')!
    if (message.value.length <= MAX_FORM_CHARACTERS) return
    event.preventDefault()
    showToast(contactTexts.tooLong)
    message.focus()
  }
  return (
    <Form
      ref={form}
      method="post"
      action="/contact/?tab=mail"
      noValidate
      preventScrollReset
      aria-busy={isPending}
      className={css.form}
      onSubmit={holdBack}
    >
      <NoScriptMessages answer={answer} className={css.message} />
      {fields.map(({ name, type, autoComplete, hint }) => (
        <Field
          label={contactFormTexts.fields[name]}
          name={name}
          id={name}
          error={answer?.field === name ? answer.error : undefined}
          hint={hint}
          example={hint}
          className={`field ${name === 'name' || name === 'message' ? css.wide : ''}`}
          key={name}
        >
          {(tied) => {
            const shared = { ...tied, autoComplete, defaultValue: typed?.[name] ?? '' }
            return type === 'textarea' ? <textarea rows={7} {...shared} /> : <input type={type} {...shared} />
          }}
        </Field>
      ))}
      {/* Visitors do not see this honeypot field, so only bots fill it in. */}
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">{contactFormTexts.honeypot}</label>
        <input id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <input type="hidden" name="stamp" value={stored.stamp} />
      <div className={`${css.wide} stack ${css.foot}`}>
        <button className="button" aria-disabled={isPending}>
          {contactFormTexts.submit}
        </button>
        {note && !isPending && <p className="notice">{note}</p>}
      </div>
    </Form>
  )
}

/** Keeps the typed values of the last response, because React Router forgets the response when the visitor opens another tab of the contact page. */
function useTypedValues(answer: ContactAnswer | undefined, first: string) {
  const [stored, keep] = useState({ answer, stamp: answer?.stamp || first, typed: answer?.typed, note: answer?.note })
  if (!answer || answer === stored.answer) return stored
  const next = { answer, stamp: answer.stamp || stored.stamp, typed: answer.typed, note: answer.note }
  keep(next)
  return next
}
