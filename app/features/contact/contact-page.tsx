/** Four ways to reach the maker, as tabs; the open one is part of the address. */
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Form, Link, useNavigate, useNavigation, useSearchParams } from 'react-router'
import { AtSign, Calendar, Camera, Mail, MapPin, Palette, Phone, Ruler, UserPlus, Users } from '#app/ui/icons.tsx'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { type QrDrawing, QrCode } from '#app/ui/qr-code.tsx'
import { KnotMark } from '#app/ui/layout/knot-mark.tsx'
import { type ContactField, type Tab, contactTexts, tabNames, tabOf, tabs } from './contact.ts'
import type { ContactAnswer } from './contact.server.ts'
import css from './contact-page.module.css'
import { Field } from '#app/ui/form-fields.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { ToldWithoutScript, useAnswerToasts } from '#app/ui/toasts.tsx'

type Props = {
  settings: ShopSettings
  qr: { facebook: QrDrawing; instagram: QrDrawing }
  answer: ContactAnswer | undefined
  stamp: string
}

export function ContactPage({ settings, qr, answer, stamp }: Props) {
  const tab = useOpenTab()
  return (
    <main className={`page stack ${css.page}`} id="main">
      <header className={css.head}>
        <h1>Contact</h1>
        <p className="intro">Ask for a color, a size, or something that does not exist yet.</p>
      </header>
      <div className={`stack ${css.ways}`}>
        <ContactTabs open={tab} />
        {tabs.map((name) => (
          <section
            key={name}
            role="tabpanel"
            id={`panel-${name}`}
            aria-labelledby={name === tab ? `tab-${name}` : undefined}
            hidden={name !== tab}
            className={`card ${css.panel}`}
          >
            {name === 'facebook' && (
              <Elsewhere title="Facebook" handle={settings.facebookHandle} url={settings.facebookUrl} qr={qr.facebook} />
            )}
            {name === 'instagram' && (
              <Elsewhere title="Instagram" handle={settings.instagramHandle} url={settings.instagramUrl} qr={qr.instagram} />
            )}
            {name === 'mail' && (
              <>
                <h2>Write to {settings.name}</h2>
                <ContactForm answer={answer} stamp={stamp} />
              </>
            )}
            {name === 'phone' && <BusinessCard settings={settings} />}
          </section>
        ))}
      </div>
      <aside className={css.beside} aria-label="Before you write">
        {tab !== 'phone' && (
          <div className={css.onDesk}>
            <BusinessCard settings={settings} />
          </div>
        )}
        <GoodToMention />
      </aside>
    </main>
  )
}

/** CONTACT-02 to CONTACT-05; S-030: the code is hidden until it is asked for. */
function Elsewhere({ title, handle, url, qr }: { title: string; handle: string; url: string; qr: QrDrawing }) {
  return (
    <div className={`centered-text ${css.elsewhere}`}>
      <h2>{title}</h2>
      <p className="soft">New knots, and what is on the table just now.</p>
      <p className={css.handle}>
        <a className="tap" href={url} rel="noopener" target="_blank">
          {handle}
        </a>
      </p>
      <details className={`fold ${css.qr}`}>
        <summary className="button quiet">QR code</summary>
        <QrCode drawing={qr} width={232} label={`QR code of our ${title} page`} />
        <p className="soft">Point the camera of your phone at it.</p>
      </details>
    </div>
  )
}

const mentions = [
  [Palette, 'The color, or the room it is for'],
  [Ruler, 'How wide and how long it may be'],
  [Calendar, 'The day you need it by'],
] as const

function GoodToMention() {
  return (
    <section className={css.mention} aria-labelledby="mention">
      <h2 id="mention">Good to mention</h2>
      <ul role="list">
        {mentions.map(([Icon, text]) => (
          <li key={text} className="cluster">
            <Icon size={20} aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
    </section>
  )
}

const icons = { facebook: Users, instagram: Camera, mail: Mail, phone: Phone }

/** The address says which; nothing has to be fetched for another one, so it opens at once and without a connection too. */
const useOpenTab = (): Tab => tabOf(useSearchParams()[0].get('tab'))

/** CONTACT-01: links, so that they work before and without script; a tabs library would bring 5 kB for the arrow keys below and take the links away. */
function ContactTabs({ open }: { open: Tab }) {
  const navigate = useNavigate()
  /** From the tab that has the focus: a quick second press must not wait for the address to follow the first. */
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
    <div role="tablist" aria-label="Ways to reach us" className={`card stack ${css.tabs}`}>
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
            {tabNames[name]}
          </Link>
        )
      })}
    </div>
  )
}

type BusinessCardProps = { settings: Pick<ShopSettings, 'name' | 'ownerName' | 'phone' | 'email' | 'city'> }

/** CONTACT-06: the maker's card, hung on a cord. */
function BusinessCard({ settings: { name, ownerName, phone, email, city } }: BusinessCardProps) {
  return (
    <div className={css.hung}>
      <svg className={`anchor ${css.cord}`} viewBox="0 0 48 72" width="48" height="72" fill="none" strokeWidth="3.5" aria-hidden="true">
        <path d="M22 0v22M26 0v22" stroke="var(--accent)" />
        <path d="M23 26c-12 9-12 27 1 36M25 26c12 9 12 27-1 36" stroke="var(--accent)" strokeLinecap="round" />
        <path d="M16 19h16M15.500 24h17M17 29h14" stroke="var(--second)" strokeWidth="5" strokeLinecap="round" />
      </svg>
      <address className={`centered-text wide anchor ${css.card}`} aria-label="Business card">
        <span className={css.hole} aria-hidden="true" />
        <KnotMark className={css.mark} />
        <strong className={css.shop}>{name}</strong>
        <span className={`soft ${css.maker}`}>{ownerName}</span>
        <ul role="list" className={css.lines}>
          <li className="cluster">
            <Phone size={18} aria-hidden="true" />
            <a className="tap" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
              {phone}
            </a>
          </li>
          <li className="cluster">
            <AtSign size={18} aria-hidden="true" />
            <a className="tap" href={`mailto:${email}`}>
              {email}
            </a>
          </li>
          <li className="cluster">
            <MapPin size={18} aria-hidden="true" />
            <span>{city}</span>
          </li>
        </ul>
      </address>
      <a className={`button quiet ${css.save}`} href="/contact/card.vcf" download>
        <UserPlus size={18} aria-hidden="true" />
        Save to my contacts
      </a>
    </div>
  )
}

const fields: { name: ContactField; label: string; type: string; autoComplete?: string; hint?: string }[] = [
  { name: 'name', label: 'Name', type: 'text', autoComplete: 'name' },
  { name: 'email', label: 'Email Address', type: 'email', autoComplete: 'email' },
  { name: 'phone', label: 'Phone', type: 'tel', autoComplete: 'tel', hint: '10 or 11 characters' },
  { name: 'message', label: 'Message', type: 'textarea' },
]

/** More than the shop reads at once: its answer would come in the place of the page, and take what was typed with it. */
const UNREADABLE = 100_000

function ContactForm({ answer, stamp }: Pick<Props, 'answer' | 'stamp'>) {
  const form = useRef<HTMLFormElement>(null)
  const navigation = useNavigation()
  const isPending = navigation.formAction?.startsWith('/contact') ?? false
  const { typed, note, ...kept } = useKept(answer, stamp)
  useAnswerToasts(answer)
  // The browser holds what is typed and where the focus is: cleared when it was sent (S-035), led to the mistake when not.
  useEffect(() => {
    if (!answer || !form.current) return
    if (answer.ok) form.current.reset()
    else if (answer.field) form.current.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
    // The browser may have filled in the hidden field for bots; it is emptied, so that the next try of a person succeeds.
    form.current.querySelector<HTMLInputElement>('[name="website"]')!.value = ''
  }, [answer])
  const holdBack = (event: FormEvent<HTMLFormElement>) => {
    const message = event.currentTarget.querySelector('textarea')!
    if (message.value.length <= UNREADABLE) return
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
      <ToldWithoutScript answer={answer} className={css.told} />
      {fields.map(({ name, label, type, autoComplete, hint }) => (
        <Field
          label={label}
          name={name}
          id={name}
          error={answer?.field === name ? answer.error : undefined}
          hint={hint}
          className={`field ${name === 'name' || name === 'message' ? css.wide : ''}`}
          key={name}
        >
          {(tied) => {
            const shared = { ...tied, autoComplete, defaultValue: typed?.[name] ?? '' }
            return type === 'textarea' ? <textarea rows={7} {...shared} /> : <input type={type} {...shared} />
          }}
        </Field>
      ))}
      {/* Only programs fill this in. */}
      <div className="unseen" aria-hidden="true">
        <label htmlFor="website">Website</label>
        <input id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <input type="hidden" name="stamp" value={kept.stamp} />
      <div className={`${css.wide} stack ${css.foot}`}>
        <button className="button" aria-disabled={isPending}>
          Submit
        </button>
        {note && !isPending && <p className="notice">{note}</p>}
      </div>
    </Form>
  )
}

/** What the last answer left in the form. It outlives a change of tabs, which drops the answer; the stamp is never a newer one than needed. */
function useKept(answer: ContactAnswer | undefined, first: string) {
  const [kept, keep] = useState({ answer, stamp: answer?.stamp || first, typed: answer?.typed, note: answer?.note })
  if (!answer || answer === kept.answer) return kept
  const next = { answer, stamp: answer.stamp || kept.stamp, typed: answer.typed, note: answer.note }
  keep(next)
  return next
}
