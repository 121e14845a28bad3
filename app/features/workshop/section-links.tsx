/** The names of the owner's sections, in groups, with a number where something waits. */
import { useId } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import place from '#app/ui/row-link.module.css'
import css from './section-links.module.css'
import { groupsOf, sectionOf, sections } from './sections.ts'
import type { Counts } from './waiting.ts'

export function SectionLinks({ counts, onChoose }: { counts: Counts; onChoose?: () => void }) {
  const id = useId()
  const { pathname } = useLocation()
  const here = sectionOf(pathname)
  return (
    <>
      <NavLink to="/manage/" end className={`${place.row} ${css.link} ${css.start}`} onClick={onChoose}>
        Manage Website
      </NavLink>
      {groupsOf(sections).map((group) => (
        <div key={group.title} className={css.group}>
          <p className={css.title} id={`${id}${group.title}`}>
            {group.title}
          </p>
          <ul role="list" className={css.list} aria-labelledby={`${id}${group.title}`}>
            {group.sections.map(([name, to]) => (
              <li key={to}>
                <Link
                  to={to}
                  aria-current={name === here ? currentOf(pathname, to) : undefined}
                  className={`${place.row} ${css.link}`}
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
    <span className={css.count}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="unseen">{saying}</span>
    </span>
  )
}
