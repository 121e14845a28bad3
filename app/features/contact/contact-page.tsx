/** Four ways to reach the maker, as tabs; the open one is part of the address. */
import { Calendar, Palette, Ruler } from 'lucide-react'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { QrCode, type QrDrawing } from '#app/ui/qr-code.tsx'
import { BusinessCard } from './business-card.tsx'
import { ContactForm } from './contact-form.tsx'
import { ContactTabs, useOpenTab } from './contact-tabs.tsx'
import { tabs } from './contact.ts'
import type { ContactAnswer } from './receive-contact.server.ts'
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
    <main className={`page ${css.page}`} id="main">
      <header className={css.head}>
        <h1>Contact</h1>
        <p className="intro">Ask for a color, a size, or something that does not exist yet.</p>
      </header>
      <div className={css.ways}>
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
    <div className={css.elsewhere}>
      <h2>{title}</h2>
      <p className="soft">New knots, and what is on the table just now.</p>
      <p className={css.handle}>
        <a href={url} rel="noopener" target="_blank">
          {handle}
        </a>
      </p>
      <details className={css.qr}>
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
          <li key={text}>
            <Icon size={20} aria-hidden="true" />
            {text}
          </li>
        ))}
      </ul>
    </section>
  )
}
