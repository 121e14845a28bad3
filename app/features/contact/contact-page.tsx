import type { KeyboardEvent } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { AtSign, Camera, Mail, MapPin, Phone, UserPlus, Users } from '#app/ui/icons.tsx'
import { linesOf, type ShopSettings, socialHandle } from '#app/features/settings/shop-settings.ts'
import { type QrDrawing, QrCode } from '#app/ui/qr-code.tsx'
import { KnotMark } from '#app/ui/layout/knot-mark.tsx'
import { keepPanel } from '#app/ui/message-panel-url.ts'
import { ContactForm } from './contact-form.tsx'
import { type Tab, parseTab, tabsOf } from './contact.ts'
import type { ContactAnswer } from './contact.server.ts'
import { contactFormTexts, contactPageTexts as texts, tabTexts } from './texts.ts'
import css from './contact-page.module.css'

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
    <main
      className={`page stack ${css.page}`}
      id="main"
    >
      <header className={css.head}>
        <h1>{texts.title}</h1>
        <p className="intro">{texts.intro}</p>
      </header>
      <div className={`stack ${css.ways}`}>
        <ContactTabs
          tabs={tabs}
          open={tab}
        />
        {tabs.map((name) => (
          <section
            key={name}
            role="tabpanel"
            id={`panel-${name}`}
            aria-labelledby={name === tab ? `tab-${name}` : undefined}
            hidden={name !== tab}
            className={`card ${css.panel}`}
          >
            {(name === 'facebook' || name === 'instagram') && (
              <SocialTab
                title={tabTexts[name]}
                url={settings[name]}
                qr={qr[name]!}
              />
            )}
            {name === 'mail' && (
              <>
                <h2>{contactFormTexts.title(settings.name)}</h2>
                <ContactForm
                  answer={answer}
                  stamp={stamp}
                />
              </>
            )}
            {name === 'phone' && <BusinessCard settings={settings} />}
          </section>
        ))}
      </div>
      <aside
        className={css.beside}
        aria-label={texts.beside}
      >
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
        <a
          className="tap"
          href={url}
          rel="noopener"
          target="_blank"
        >
          {socialHandle(url)}
        </a>
      </p>
      <details className={`fold ${css.qr}`}>
        <summary className="button quiet">{texts.qrCode}</summary>
        <QrCode
          drawing={qr}
          width={232}
          label={texts.qrCodeOf(title)}
        />
        <p className="soft">{texts.qrHint}</p>
      </details>
    </div>
  )
}

function GoodToMention({ lines }: { lines: readonly string[] }) {
  return (
    <section
      className={css.mention}
      aria-labelledby="mention"
    >
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
  const { search } = useLocation()
  /** Opens the next or previous tab of the contact page. Starts from the focused tab, because the URL may be out of date when the visitor presses keys quickly. */
  function step(event: KeyboardEvent, from: Tab) {
    const last = tabs.length - 1
    const at = tabs.indexOf(from)
    const next = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key]
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    document.getElementById(`tab-${tabs[next]}`)?.focus()
    void navigate(keepPanel(`?tab=${tabs[next]}`, search), {
      replace: true,
      preventScrollReset: true,
      defaultShouldRevalidate: false,
    })
  }
  return (
    <div
      role="tablist"
      aria-label={texts.tabs}
      className={`card stack ${css.tabs}`}
    >
      {tabs.map((name) => {
        const Icon = icons[name]
        return (
          <Link
            key={name}
            role="tab"
            id={`tab-${name}`}
            to={keepPanel(`?tab=${name}`, search)}
            replace
            preventScrollReset
            defaultShouldRevalidate={false}
            aria-selected={name === open}
            aria-controls={`panel-${name}`}
            tabIndex={name === open ? 0 : -1}
            className={`row soft small strong undecorated ${css.tab}`}
            onKeyDown={(event) => step(event, name)}
          >
            <Icon
              size={20}
              aria-hidden="true"
            />
            {tabTexts[name]}
          </Link>
        )
      })}
    </div>
  )
}

type BusinessCardProps = {
  settings: Pick<ShopSettings, 'name' | 'ownerName' | 'phone' | 'email' | 'city'>
}

function BusinessCard({ settings: { name, ownerName, phone, email, city } }: BusinessCardProps) {
  return (
    <div className={css.hung}>
      <svg
        className={`anchor ${css.cord}`}
        viewBox="0 0 48 72"
        width="48"
        height="72"
        fill="none"
        strokeWidth="3.5"
        aria-hidden="true"
      >
        <path
          d="M22 0v22M26 0v22"
          stroke="var(--accent)"
        />
        <path
          d="M23 26c-12 9-12 27 1 36M25 26c12 9 12 27-1 36"
          stroke="var(--accent)"
          strokeLinecap="round"
        />
        <path
          d="M16 19h16M15.500 24h17M17 29h14"
          stroke="var(--second)"
          strokeWidth="5"
          strokeLinecap="round"
        />
      </svg>
      <address
        className={`centered-text wide anchor ${css.card}`}
        aria-label={texts.businessCard}
      >
        <span
          className={css.hole}
          aria-hidden="true"
        />
        <KnotMark className={css.mark} />
        <strong className={css.shop}>{name}</strong>
        {ownerName && <span className={`soft ${css.maker}`}>{ownerName}</span>}
        <ul
          role="list"
          className={css.lines}
        >
          {phone && (
            <li className="cluster">
              <Phone
                size={18}
                aria-hidden="true"
              />
              <a
                className="tap"
                href={`tel:${phone.replace(/[^\d+]/g, '')}`}
              >
                {phone}
              </a>
            </li>
          )}
          {email && (
            <li className="cluster">
              <AtSign
                size={18}
                aria-hidden="true"
              />
              <a
                className="tap"
                href={`mailto:${email}`}
              >
                {email}
              </a>
            </li>
          )}
          {city && (
            <li className="cluster">
              <MapPin
                size={18}
                aria-hidden="true"
              />
              <span>{city}</span>
            </li>
          )}
        </ul>
      </address>
      <a
        className={`button quiet ${css.save}`}
        href="/contact/card.vcf"
        download
      >
        <UserPlus
          size={18}
          aria-hidden="true"
        />
        {texts.saveCard}
      </a>
    </div>
  )
}
