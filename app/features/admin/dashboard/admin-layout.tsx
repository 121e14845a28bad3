import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { ChevronDown } from '#app/ui/icons.tsx'
import { useFocusAfterRemoval } from '#app/ui/use-focus-after-removal.ts'
import { FailedEmailNotice } from './notices.tsx'
import { navigationTexts as texts } from './texts.ts'
import css from './admin-layout.module.css'
import place from '#app/ui/row-link.module.css'

type Props = { counts?: Counts; failedEmails?: number; children: ReactNode }

export function AdminLayout({ counts = {}, failedEmails = 0, children }: Props) {
  useFocusAfterRemoval()
  const isAtMessages = sectionOf(useLocation().pathname) === texts.sections.messages
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
        {/* On the messages page, a notice says that emails to customers have failed. [S-183] */}
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

/** The list of links closes when the owner chooses a section, presses Escape or goes back to another page. [ADMIN-SHELL-02, ADMIN-SHELL-03] */
function CollapsibleLinks({ counts }: { counts: Counts }) {
  const { pathname } = useLocation()
  const folded = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (folded.current) folded.current.open = false
  }
  /** Closes the menu and moves the focus to its heading. Otherwise the focus would move to the top of the page. */
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
  const waiting = Object.values(counts).reduce((sum, { count }) => sum + count, 0)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key Escape only closes the menu
    <details
      className={`fold ${css.folded} no-print`}
      ref={folded}
      onKeyDown={onKeyDown}
    >
      <summary className={css.current}>
        {sectionOf(pathname)}
        {waiting > 0 && (
          <span
            className={`round ${css.dot}`}
            aria-hidden="true"
          />
        )}
        <ChevronDown
          size={20}
          aria-hidden="true"
        />
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
        className={`aligned undecorated ${place.row} ${css.link} ${css.start}`}
        onClick={onChoose}
      >
        {texts.title}
      </NavLink>
      {groups.map((group) => (
        <div
          key={group.title}
          className={css.group}
        >
          <p
            className={`soft small flush ${css.title}`}
            id={`${id}${group.title}`}
          >
            {group.title}
          </p>
          <ul
            role="list"
            className={css.list}
            aria-labelledby={`${id}${group.title}`}
          >
            {group.sections.map(([name, to]) => (
              <li key={to}>
                <Link
                  to={to}
                  aria-current={name === here ? currentOf(pathname, to) : undefined}
                  className={`aligned undecorated ${place.row} ${css.link}`}
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

/** Returns the value of `aria-current` for the link of a section: 'page' on the section's own page, and 'true' on a subpage, such as Backups in the section Settings. */
const currentOf = (pathname: string, to: string) =>
  `${pathname}/`.startsWith(to) ? 'page' : 'true'

/** The count stands outside the link, so that the link's accessible name is only the section's name. */
function Count({ count, label }: Counts[string]) {
  if (count === 0) return null
  return (
    <span className={`badge ${css.count}`}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  )
}

type Section = [name: string, address: string]
/** The owner's navigation lists the sections about customers first, then the sections about the catalog, and then the sections about the shop. [S-039, S-105, S-180 to S-185] */
export const groups: { title: string; sections: Section[] }[] = [
  {
    title: texts.groups.customers,
    sections: [
      [texts.sections.messages, '/manage/messages/'],
      [texts.sections.queue, '/manage/queue/'],
      [texts.sections.sales, '/manage/sales/'],
      [texts.sections.reports, '/manage/reports/'],
      [texts.sections.testimonials, '/manage/testimonials/'],
      [texts.sections.replies, '/manage/replies/'],
      [texts.sections.mail, '/manage/mail/'],
    ],
  },
  {
    title: texts.groups.catalog,
    sections: [
      [texts.sections.merchandise, '/manage/item/'],
      [texts.sections.categories, '/manage/category/'],
      [texts.sections.colors, '/manage/colors/'],
      [texts.sections.discounts, '/manage/discount/'],
      [texts.sections.tables, '/manage/tables/'],
    ],
  },
  {
    title: texts.groups.shop,
    sections: [
      [texts.sections.home, '/manage/home/'],
      [texts.sections.about, '/manage/about/'],
      [texts.sections.history, '/manage/history/'],
      [texts.sections.settings, '/manage/settings/'],
    ],
  },
]
export const sections = groups.flatMap((group) => group.sections)

/** These pages have no links in the navigation. Each key is the URL of a page, and its value is the URL of the section to which the page belongs. */
const parentSections: Record<string, string> = {
  '/manage/arrange/': '/manage/item/',
  '/manage/offer/': '/manage/messages/',
  '/manage/moved/': '/manage/tables/',
  '/manage/customer-data/': '/manage/settings/',
  '/manage/backups/': '/manage/settings/',
  '/manage/status/': '/manage/settings/',
}

/** Returns the name of the section to which a URL belongs. [ADMIN-SHELL-03] */
export const sectionOf = (pathname: string): string => {
  const begin = Object.keys(parentSections).find((address) => `${pathname}/`.startsWith(address))
  const place = begin ? parentSections[begin]! : `${pathname}/`
  return sections.find(([, to]) => place.startsWith(to))?.[0] ?? texts.title
}

export type Counts = Record<string, { count: number; label: string }>

type OpenTasks = Record<'unread' | 'emails' | 'testimonies' | 'urgent', number>

export const sectionCounts = ({ unread, emails, testimonies, urgent }: OpenTasks): Counts => ({
  '/manage/messages/': { count: unread, label: texts.counts.unread(unread) },
  '/manage/mail/': { count: emails, label: texts.counts.emails(emails) },
  '/manage/settings/': { count: urgent, label: texts.counts.urgent(urgent) },
  '/manage/testimonials/': { count: testimonies, label: texts.counts.testimonies(testimonies) },
})
