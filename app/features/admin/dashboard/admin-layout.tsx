import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { undeliveredText } from '../mail/texts.ts'
import { ChevronDown } from '#ui/icons.tsx'
import { MailWarning, TriangleAlert } from '#ui/owner-icons.tsx'
import rowLink from '#ui/row-link.module.css'
import { useFocusAfterRemoval } from '#ui/use-focus-after-removal.ts'
import { navigationTexts as texts, noticeTexts } from './texts.ts'
import css from './admin-layout.module.css'
import noticeCss from './notices.module.css'

type AdminLayoutProps = { counts?: Counts; failedEmails?: number; children: ReactNode }

export function AdminLayout({ counts = {}, failedEmails = 0, children }: AdminLayoutProps) {
  useFocusAfterRemoval()
  const isAtMessages = sectionOf(useLocation().pathname) === sectionOf('/manage/messages/')
  return (
    <div className={css.shell}>
      <nav
        className={`${css.side} no-print`}
        aria-label={texts.title}
      >
        <SectionLinks counts={counts} />
      </nav>
      <CollapsibleLinks counts={counts} />
      <div className={css.section}>
        {isAtMessages && failedEmails > 0 && (
          <aside
            className={`${css.message} no-print`}
            aria-label={texts.undelivered}
          >
            <FailedEmailNotice
              failed={failedEmails}
              waiting={0}
            />
          </aside>
        )}
        {children}
      </div>
    </div>
  )
}

export const FailedEmailNotice = (emails: { failed: number; waiting: number }) => (
  <Notice
    Icon={MailWarning}
    text={undeliveredText(emails)}
    to="/manage/mail/"
    link={noticeTexts.seeMail}
  />
)

export const CriticalNotice = ({ titles }: { titles: string[] }) => (
  <Notice
    Icon={TriangleAlert}
    text={titles.length === 0 ? null : noticeTexts.urgent(titles)}
    to="/manage/status/"
    link={noticeTexts.seeStatus}
  />
)

type NoticeProps = { Icon: typeof MailWarning; text: string | null; to: string; link: string }

const Notice = ({ Icon, text, to, link }: NoticeProps) =>
  text === null ? null : (
    <p className={`row ${noticeCss.undelivered}`}>
      <Icon size={20} />
      <span>{text}</span>
      <Link
        className="tap font-semibold"
        to={to}
      >
        {link}
      </Link>
    </p>
  )

function CollapsibleLinks({ counts }: { counts: Counts }) {
  const { pathname } = useLocation()
  const folded = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (folded.current) folded.current.open = false
  }
  const closeAndStay = () => {
    close()
    folded.current?.querySelector('summary')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !folded.current?.open) return
    event.preventDefault()
    closeAndStay()
  }
  useEffect(close, [pathname])
  const pendingCount = Object.values(counts).reduce((sum, { count }) => sum + count, 0)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key Escape only closes the menu
    <details
      className={`fold ${css.folded} no-print`}
      ref={folded}
      onKeyDown={onKeyDown}
    >
      <summary className={css.current}>
        {sectionOf(pathname)}
        {pendingCount > 0 && (
          <span
            className={`rounded-full ${css.dot}`}
            aria-hidden="true"
          />
        )}
        <ChevronDown size={20} />
      </summary>
      <nav aria-label={texts.title}>
        <SectionLinks
          counts={counts}
          onChoose={closeAndStay}
        />
      </nav>
    </details>
  )
}

function SectionLinks({ counts, onChoose }: { counts: Counts; onChoose?: () => void }) {
  const id = useId()
  const { pathname } = useLocation()
  const here = sectionOf(pathname)
  return (
    <>
      <NavLink
        to="/manage/"
        end
        className={`flex items-center no-underline ${rowLink.row} ${css.link} ${css.start}`}
        onClick={onChoose}
      >
        {texts.title}
      </NavLink>
      {groups.map(([title, group]) => (
        <div
          key={title}
          className={css.group}
        >
          <p
            className={`text-soft text-sm m-0 ${css.title}`}
            id={`${id}${title}`}
          >
            {title}
          </p>
          <ul
            role="list"
            className={css.list}
            aria-labelledby={`${id}${title}`}
          >
            {Object.entries(group).map(([to, name]) => (
              <li key={to}>
                <Link
                  to={to}
                  aria-current={name === here ? currentOf(pathname, to) : undefined}
                  className={`flex items-center no-underline ${rowLink.row} ${css.link}`}
                  onClick={onChoose}
                >
                  {name}
                </Link>
                {counts[to] && <Count {...counts[to]} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}

const currentOf = (pathname: string, to: string) =>
  `${pathname}/`.startsWith(to) ? 'page' : 'true'

function Count({ count, label }: Counts[string]) {
  if (count === 0) return null
  return (
    <span className={`badge ${css.count}`}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{label}</span>
    </span>
  )
}

const groups = Object.entries<Record<string, string>>(texts.groups)
export const sections = groups.flatMap(([, group]) => Object.entries(group))

const parentSections: Record<string, string> = {
  '/manage/arrange/': '/manage/item/',
  '/manage/offer/': '/manage/messages/',
  '/manage/firestore-import/': '/manage/import-export/',
  '/manage/customer-data/': '/manage/settings/',
  '/manage/backups/': '/manage/settings/',
  '/manage/status/': '/manage/settings/',
}

export function sectionOf(pathname: string) {
  const begin = Object.keys(parentSections).find((address) => `${pathname}/`.startsWith(address))
  const place = begin ? parentSections[begin]! : `${pathname}/`
  return sections.find(([to]) => place.startsWith(to))?.[1] ?? texts.title
}

export type Counts = Record<string, { count: number; label: string }>

type OpenTasks = Record<'unread' | 'emails' | 'testimonies' | 'urgent', number>

export const sectionCounts = ({ unread, emails, testimonies, urgent }: OpenTasks): Counts => ({
  '/manage/messages/': { count: unread, label: texts.counts.unread(unread) },
  '/manage/mail/': { count: emails, label: texts.counts.emails(emails) },
  '/manage/settings/': { count: urgent, label: texts.counts.urgent(urgent) },
  '/manage/testimonials/': { count: testimonies, label: texts.counts.testimonies(testimonies) },
})
