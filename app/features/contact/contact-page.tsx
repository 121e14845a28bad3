/** Four ways to reach the maker, as tabs; the open one is part of the address. */
import { AtSign, Camera, Mail, MapPin, Phone, Users } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { KnotMark } from '#app/features/accounts/knot-mark.tsx'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { QrCode, type QrDrawing } from '#app/ui/qr-code.tsx'
import { ContactForm, type ContactAnswer } from './contact-form.tsx'
import { tabNames, tabs, type Tab } from './contact.ts'
import css from './contact-page.module.css'

type Card = Pick<
  ShopSettings,
  'name' | 'city' | 'ownerName' | 'email' | 'phone' | 'facebookHandle' | 'facebookUrl' | 'instagramHandle' | 'instagramUrl'
>
type Props = { tab: Tab; settings: Card; qr: { facebook: QrDrawing; instagram: QrDrawing }; answer: ContactAnswer | undefined }

const icons = { facebook: Users, instagram: Camera, mail: Mail, phone: Phone }

export function ContactPage({ tab, settings, qr, answer }: Props) {
  return (
    <main className={`page ${css.page}`} id="main">
      <h1>Contact</h1>
      <p className="soft">Ask for a color, a size, or something that does not exist yet.</p>
      <Tabs open={tab} />
      {tabs.map((name) => (
        <section
          key={name}
          role="tabpanel"
          id={`panel-${name}`}
          aria-labelledby={`tab-${name}`}
          hidden={name !== tab}
          className={`card ${css.panel}`}
        >
          {name === 'facebook' && (
            <Elsewhere title="Facebook" handle={settings.facebookHandle} url={settings.facebookUrl} qr={qr.facebook} />
          )}
          {name === 'instagram' && (
            <Elsewhere title="Instagram" handle={settings.instagramHandle} url={settings.instagramUrl} qr={qr.instagram} />
          )}
          {name === 'mail' && <ContactForm answer={answer} />}
          {name === 'phone' && <BusinessCard settings={settings} />}
        </section>
      ))}
    </main>
  )
}

function Tabs({ open }: { open: Tab }) {
  const navigate = useNavigate()
  function step(event: KeyboardEvent) {
    const last = tabs.length - 1
    const at = tabs.indexOf(open)
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    document.getElementById(`tab-${tabs[next]}`)?.focus()
    void navigate(`?tab=${tabs[next]}`, { replace: true, preventScrollReset: true })
  }
  return (
    <div role="tablist" aria-label="Ways to reach us" className={css.tabs}>
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
            aria-selected={name === open}
            aria-controls={`panel-${name}`}
            tabIndex={name === open ? 0 : -1}
            className={css.tab}
            onKeyDown={step}
          >
            <Icon size={20} aria-hidden="true" />
            {tabNames[name]}
          </Link>
        )
      })}
    </div>
  )
}

/** CONTACT-02 to CONTACT-05; S-030: the code is hidden until it is asked for. */
function Elsewhere({ title, handle, url, qr }: { title: string; handle: string; url: string; qr: QrDrawing }) {
  return (
    <div className={css.elsewhere}>
      <h2>{title}</h2>
      <p className={css.handle}>
        <a href={url} rel="noopener" target="_blank">
          {handle}
        </a>
      </p>
      <details className={css.qr}>
        <summary className="button quiet">QR code</summary>
        <QrCode drawing={qr} width={220} label={`QR code of our ${title} page`} />
      </details>
    </div>
  )
}

/** CONTACT-06 */
function BusinessCard({ settings: { name, ownerName, phone, email, city } }: { settings: Card }) {
  return (
    <address className={css.business} aria-label="Business card">
      <KnotMark className={css.mark} />
      <strong className={css.shop}>{name}</strong>
      <span>{ownerName}</span>
      <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
        <Phone size={18} aria-hidden="true" /> {phone}
      </a>
      <a href={`mailto:${email}`}>
        <AtSign size={18} aria-hidden="true" /> {email}
      </a>
      <span>
        <MapPin size={18} aria-hidden="true" /> {city}
      </span>
    </address>
  )
}
