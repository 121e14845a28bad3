/** The frame around the owner's sections: a side list on wide screens, a folded one with the section's name on phones. */
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { NavLink, useLocation } from 'react-router'
import place from '#app/ui/row-link.module.css'
import css from './manage-shell.module.css'
import { sectionOf, sections } from './sections.ts'

export function ManageShell({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <div className={css.shell}>
      <nav className={`${css.side} no-print`} aria-label="Manage Website">
        <SectionLinks />
      </nav>
      {/* Folds itself after each choice. */}
      <details className={`${css.folded} no-print`} key={pathname}>
        <summary className={css.current}>
          {sectionOf(pathname)}
          <ChevronDown size={20} aria-hidden="true" />
        </summary>
        <nav aria-label="Manage Website">
          <SectionLinks />
        </nav>
      </details>
      <div className={css.section}>{children}</div>
    </div>
  )
}

function SectionLinks() {
  return (
    <ul role="list">
      {sections.map(([name, to]) => (
        <li key={to}>
          <NavLink to={to} className={`${place.row} ${css.link}`}>
            {name}
          </NavLink>
        </li>
      ))}
    </ul>
  )
}
