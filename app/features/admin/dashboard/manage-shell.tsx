import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { ChevronDown } from '#app/ui/icons.tsx'
import { useFocusAfterRemoval } from '#app/ui/use-focus-after-removal.ts'
import { UndeliveredLine } from './notices.tsx'
import css from './manage-shell.module.css'
import place from '#app/ui/row-link.module.css'

type Props = { counts?: Counts; failedLetters?: number; children: ReactNode }

export function ManageShell({ counts = {}, failedLetters = 0, children }: Props) {
  useFocusAfterRemoval()
  const isAtMessages = sectionOf(useLocation().pathname) === 'Messages'
  return (
    <div className={css.shell}>
      <nav className={`${css.side} no-print`} aria-label="Manage Website">
        <SectionLinks counts={counts} />
      </nav>
      <FoldedLinks counts={counts} />
      <div className={css.section}>
        {/* S-183: who could not be reached is told where she answers; her first page says it as well. */}
        {isAtMessages && failedLetters > 0 && (
          <aside className={`${css.told} no-print`} aria-label="Undelivered mail">
            <UndeliveredLine failed={failedLetters} waiting={0} />
          </aside>
        )}
        {children}
      </div>
    </div>
  )
}

/** ADMIN-SHELL-02, ADMIN-SHELL-03: folds itself after a choice, by Escape, and when Back leads elsewhere. */
function FoldedLinks({ counts }: { counts: Counts }) {
  const { pathname } = useLocation()
  const folded = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (folded.current) folded.current.open = false
  }
  /** Whoever chose or gave up goes on from the name, not from the top of the page. */
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, for whoever is in it; it is no other way of pressing it
    <details className={`fold ${css.folded} no-print`} ref={folded} onKeyDown={onKeyDown}>
      <summary className={css.current}>
        {sectionOf(pathname)}
        {waiting > 0 && <span className={`round ${css.dot}`} aria-hidden="true" />}
        <ChevronDown size={20} aria-hidden="true" />
      </summary>
      <nav aria-label="Manage Website">
        <SectionLinks counts={counts} onChoose={closeAndStay} />
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
      <NavLink to="/manage/" end className={`aligned undecorated ${place.row} ${css.link} ${css.start}`} onClick={onChoose}>
        Manage Website
      </NavLink>
      {groups.map((group) => (
        <div key={group.title} className={css.group}>
          <p className={`soft small flush ${css.title}`} id={`${id}${group.title}`}>
            {group.title}
          </p>
          <ul role="list" className={css.list} aria-labelledby={`${id}${group.title}`}>
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

/** A page that only belongs to the section, such as the backups to the settings, is not the section's own. */
const currentOf = (pathname: string, to: string) => (`${pathname}/`.startsWith(to) ? 'page' : 'true')

/** Beside the link, so that the link's name stays the section's name. */
function Count({ count, saying }: Counts[string]) {
  if (count === 0) return null
  return (
    <span className={`badge ${css.count}`}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="unseen">{saying}</span>
    </span>
  )
}

type Section = [name: string, address: string]
/** The links of the owner's area in groups: whom she deals with, what she sells (S-039, S-105, S-180 to S-185). */
export const groups: { title: string; sections: Section[] }[] = [
  {
    title: 'Customers',
    sections: [
      ['Messages', '/manage/messages/'],
      ['Sales', '/manage/sales/'],
      ['Reports', '/manage/reports/'],
      ['Testimonials', '/manage/testimonials/'],
      ['Replies and alerts', '/manage/replies/'],
      ['Mail', '/manage/mail/'],
    ],
  },
  {
    title: 'Catalog',
    sections: [
      ['Merchandise', '/manage/item/'],
      ['Categories', '/manage/category/'],
      ['Colors', '/manage/colors/'],
      ['Discounts', '/manage/discount/'],
      ['Import and export', '/manage/tables/'],
    ],
  },
  {
    title: 'Shop',
    sections: [
      ['History', '/manage/history/'],
      ['Settings', '/manage/settings/'],
    ],
  },
]
export const sections = groups.flatMap((group) => group.sections)

/** Pages that are reached from a section and have no entry of their own. */
const within: Record<string, string> = {
  '/manage/moved/': '/manage/tables/',
  '/manage/customer-data/': '/manage/settings/',
  '/manage/backups/': '/manage/settings/',
  '/manage/status/': '/manage/settings/',
}

/** ADMIN-SHELL-03: the section that an address belongs to. */
export const sectionOf = (pathname: string): string => {
  const begin = Object.keys(within).find((address) => `${pathname}/`.startsWith(address))
  const place = begin ? within[begin]! : `${pathname}/`
  return sections.find(([, to]) => place.startsWith(to))?.[0] ?? 'Manage Website'
}

export type Counts = Record<string, { count: number; saying: string }>

export const countsOf = ({ unread, letters, voices, urgent }: Record<'unread' | 'letters' | 'voices' | 'urgent', number>): Counts => ({
  '/manage/messages/': { count: unread, saying: `${unread} unread` },
  '/manage/mail/': { count: letters, saying: `${letters} not delivered` },
  // S-271
  '/manage/settings/': { count: urgent, saying: `${urgent} to care for now` },
  '/manage/testimonials/': { count: voices, saying: `${voices} to look at` },
})
