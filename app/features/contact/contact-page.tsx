/** Four ways to reach the maker, as tabs; the open one is part of the address. */
import type { KeyboardEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { AtSign, Calendar, Camera, Mail, MapPin, Palette, Phone, Ruler, UserPlus, Users } from '#app/ui/icons.tsx'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { QrCode, type QrDrawing } from '#app/ui/qr-code.tsx'
import { KnotMark } from '#app/ui/layout/knot-mark.tsx'
import { ContactForm } from './contact-form.tsx'
import { type Tab, tabNames, tabOf, tabs } from './contact.ts'
import type { ContactAnswer } from './contact.server.ts'
import css from './contact-page.module.css'

type Props = {
  settings: ShopSettings
  qr: { facebook: QrDrawing; instagram: QrDrawing }
  answer: ContactAnswer | undefined
  /** when this form was handed out */
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
