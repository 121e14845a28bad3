import {
  type KeyboardEvent,
  type ReactNode,
  type FormEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import {
  Link,
  useLocation,
  useNavigate,
  useSearchParams,
  Form,
  useActionData,
  useNavigation,
} from 'react-router'
import { AtSign, Facebook, Instagram, Mail, MapPin, Phone, UserPlus } from '#ui/icons.tsx'
import { linesOf, type ShopSettings, socialHandle } from '#settings/shop-settings.ts'
import { type QrDrawing, QrCode } from '#ui/qr-code.tsx'
import { KnotMark } from '#ui/layout/knot-mark.tsx'
import { keepPanel } from '#ui/message-panel-url.ts'
import { type Tab, parseTab, tabsOf, type ContactField } from './contact.ts'
import type { ContactAnswer } from './contact.server.ts'
import { contactFormTexts, contactPageTexts as texts, tabTexts, contactTexts } from './texts.ts'
import css from './contact-page.module.css'
import { checkConnectivity, connectivity } from '#client/connectivity.ts'
import { saveDraft, useStoredDraft } from '#client/drafts.ts'
import { SubmissionFailed } from '#ui/action-result.ts'
import { FormContext, InputField, TextareaField } from '#ui/form-fields.tsx'
import { offlineTexts } from '#ui/texts.ts'
import { showToast, NoScriptMessages, useActionToasts } from '#ui/toasts.tsx'

type ContactPageProps = {
  settings: ShopSettings
  qr: { facebook: QrDrawing | null; instagram: QrDrawing | null }
  answer: ContactAnswer | undefined
  stamp: string
  away: string
}

export function ContactPage({ settings, qr, answer, stamp, away }: ContactPageProps) {
  const tabs = tabsOf(settings)
  const mention = linesOf(settings.mention)
  const tab = parseTab(useSearchParams()[0].get('tab'), tabs)
  return (
    <main
      className={`page grid gap-4 ${css.page}`}
      id="main"
    >
      <header className={css.head}>
        <h1>{texts.title}</h1>
        <p className="intro">{texts.intro}</p>
        {away && <p className="notice">{away}</p>}
      </header>
      <div className={`grid gap-4 ${css.ways}`}>
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
        {mention.length > 0 && (
          <section
            className={css.mention}
            aria-labelledby="mention"
          >
            <h2 id="mention">{texts.mention}</h2>
            <ul>
              {mention.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        )}
      </aside>
    </main>
  )
}

function SocialTab({ title, url, qr }: { title: string; url: string; qr: QrDrawing }) {
  return (
    <div className={`text-center ${css.elsewhere}`}>
      <h2>{title}</h2>
      <p className="text-soft">{texts.news}</p>
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
        <p className="text-soft">{texts.qrHint}</p>
      </details>
    </div>
  )
}

const icons = { facebook: Facebook, instagram: Instagram, mail: Mail, phone: Phone }

function ContactTabs({ tabs, open }: { tabs: readonly Tab[]; open: Tab }) {
  const navigate = useNavigate()
  const { search } = useLocation()
  function step(event: KeyboardEvent, from: Tab) {
    const index = tabs.indexOf(from)
    const next = {
      ArrowRight: (index + 1) % tabs.length,
      ArrowLeft: (index - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
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
      className={`card grid gap-4 ${css.tabs}`}
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
            className={`flex items-center gap-3 text-soft text-sm font-semibold no-underline ${css.tab}`}
            onKeyDown={(event) => step(event, name)}
          >
            <Icon size={20} />
            {tabTexts[name]}
          </Link>
        )
      })}
    </div>
  )
}

function BusinessCard({ settings }: { settings: ShopSettings }) {
  const { name, ownerName, phone, email, city } = settings
  return (
    <div className={css.hung}>
      <CardCord />
      <address
        className={`text-center w-full relative ${css.card}`}
        aria-label={texts.businessCard}
      >
        <span
          className={css.hole}
          aria-hidden="true"
        />
        <KnotMark className={css.mark} />
        <strong className={css.shop}>{name}</strong>
        {ownerName && <span className={`text-soft ${css.maker}`}>{ownerName}</span>}
        <ul
          role="list"
          className={css.lines}
        >
          {phone && (
            <CardLine icon={Phone}>
              <a
                className="tap"
                href={`tel:${phone.replace(/[^\d+]/g, '')}`}
              >
                {phone}
              </a>
            </CardLine>
          )}
          {email && (
            <CardLine icon={AtSign}>
              <a
                className="tap"
                href={`mailto:${email}`}
              >
                {email}
              </a>
            </CardLine>
          )}
          {city && (
            <CardLine icon={MapPin}>
              <span>{city}</span>
            </CardLine>
          )}
        </ul>
      </address>
      <a
        className={`button quiet ${css.save}`}
        href="/contact/card.vcf"
        download
      >
        <UserPlus size={18} />
        {texts.saveCard}
      </a>
    </div>
  )
}

const CardCord = () => (
  <svg
    className={`relative ${css.cord}`}
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
)

const CardLine = ({ icon: Icon, children }: { icon: typeof Phone; children: ReactNode }) => (
  <li className="row">
    <Icon size={18} />
    {children}
  </li>
)

const fields: { name: ContactField; type: string; autoComplete?: string; hint?: string }[] = [
  { name: 'name', type: 'text', autoComplete: 'name' },
  { name: 'email', type: 'email', autoComplete: 'email' },
  { name: 'phone', type: 'tel', autoComplete: 'tel', hint: contactFormTexts.phoneHint },
  { name: 'message', type: 'textarea' },
]

/** The server refuses a longer form unread, which would lose the text. */
const MAX_FORM_CHARACTERS = 25_000

const DRAFT_OWNER = 'contact'

type ContactFormProps = { answer: ContactAnswer | undefined; stamp: string }

function ContactForm({ answer, stamp: firstStamp }: ContactFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const navigation = useNavigation()
  const isPending = navigation.formAction?.startsWith('/contact') ?? false
  const { typed, note, stamp } = useTypedValues(answer, firstStamp)
  const [isUnsent, setUnsent] = useUnsent()
  useActionToasts(answer)
  useTidyForm(form, answer)
  const holdBack = (event: FormEvent<HTMLFormElement>) => {
    setUnsent(connectivity.isLost())
    if (connectivity.isLost()) {
      event.preventDefault()
      checkConnectivity()
      return showToast(offlineTexts.notSent)
    }
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
      data-queued
      preventScrollReset
      aria-busy={isPending}
      className={css.form}
      onSubmit={holdBack}
    >
      <NoScriptMessages
        answer={answer}
        className={css.message}
      />
      <FormContext value={{ answer, isPending }}>
        {fields.map((field) => (
          <ContactFormField
            {...field}
            typed={typed?.[field.name] ?? ''}
            key={field.name}
          />
        ))}
      </FormContext>
      <Honeypot />
      <input
        type="hidden"
        name="stamp"
        value={stamp}
      />
      <div className={`${css.wide} grid gap-4 ${css.foot}`}>
        <button
          className="button"
          aria-disabled={isPending}
        >
          {contactFormTexts.submit}
        </button>
        <p
          className="error"
          role="alert"
        >
          {isUnsent && !isPending && contactFormTexts.unsent}
        </p>
        {note && !isPending && <p className="notice">{note}</p>}
      </div>
    </Form>
  )
}

const Honeypot = () => (
  <div
    className="sr-only"
    aria-hidden="true"
  >
    <label htmlFor="website">{contactFormTexts.honeypot}</label>
    <input
      id="website"
      name="website"
      tabIndex={-1}
      autoComplete="off"
    />
  </div>
)

type ContactFormFieldProps = (typeof fields)[number] & { typed: string }

function ContactFormField({ name, type, autoComplete, hint, typed }: ContactFormFieldProps) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useStoredDraft(input, DRAFT_OWNER, name, typed)
  const field = {
    label: contactFormTexts.fields[name],
    name,
    id: name,
    hint,
    example: hint,
    className: `field ${name === 'name' || name === 'message' ? css.wide : ''}`,
    ref: input,
    autoComplete,
    defaultValue: typed,
    onInput: () => saveDraft(DRAFT_OWNER, name, input.current!.value),
  }
  return type === 'textarea' ? (
    <TextareaField
      rows={7}
      {...field}
    />
  ) : (
    <InputField
      type={type}
      {...field}
    />
  )
}

function useUnsent() {
  const [isUnsent, setUnsent] = useState(false)
  const result = useActionData<unknown>()
  const [lastResult, setLastResult] = useState(result)
  if (result !== lastResult) {
    setLastResult(result)
    if (result) setUnsent(result instanceof SubmissionFailed)
  }
  return [isUnsent, setUnsent] as const
}

function useTidyForm(form: RefObject<HTMLFormElement | null>, answer: ContactAnswer | undefined) {
  useEffect(() => {
    if (!answer || !form.current) return
    if (answer.ok) form.current.reset()
    else if (answer.field) {
      form.current.querySelector<HTMLElement>(`[name="${answer.field}"]`)?.focus()
    }
    // If a browser filled in the honeypot, the next attempt must succeed.
    form.current.querySelector<HTMLInputElement>('[name="website"]')!.value = ''
    if (answer.note) for (const { name } of fields) saveDraft(DRAFT_OWNER, name, '')
  }, [form, answer])
}

/** React Router forgets the answer when the visitor opens another tab of the contact page. */
function useTypedValues(answer: ContactAnswer | undefined, firstStamp: string) {
  const [last, setLast] = useState({ answer, values: toTypedValues(answer, firstStamp) })
  if (!answer || answer === last.answer) return last.values
  const values = toTypedValues(answer, last.values.stamp)
  setLast({ answer, values })
  return values
}

const toTypedValues = (answer: ContactAnswer | undefined, stamp: string) => ({
  stamp: answer?.stamp || stamp,
  typed: answer?.typed,
  note: answer?.note,
})
