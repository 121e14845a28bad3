/** The frame around the owner's sections: a side list on wide screens, a folded one with the section's name on phones. */
import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { UndeliveredLine } from '#app/features/mail/undelivered-line.tsx'
import { useKeptFocus } from '#app/ui/use-kept-focus.ts'
import css from './manage-shell.module.css'
import { SectionLinks } from './section-links.tsx'
import { sectionOf } from './sections.ts'
import type { Counts } from './waiting.ts'

/** `counts`: what waits in the sections; without them, as around what broke, no numbers stand there. */
type Props = { counts?: Counts; failedLetters?: number; children: ReactNode }

export function ManageShell({ counts = {}, failedLetters = 0, children }: Props) {
  useKeptFocus()
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
  // Whether it is open is the element's own state.
  useEffect(close, [pathname])
  const waiting = Object.values(counts).reduce((sum, { count }) => sum + count, 0)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, for whoever is in it; it is no other way of pressing it
    <details className={`${css.folded} no-print`} ref={folded} onKeyDown={onKeyDown}>
      <summary className={css.current}>
        {sectionOf(pathname)}
        {waiting > 0 && <span className={css.dot} aria-hidden="true" />}
        <ChevronDown size={20} aria-hidden="true" />
      </summary>
      <nav aria-label="Manage Website">
        <SectionLinks counts={counts} onChoose={closeAndStay} />
      </nav>
    </details>
  )
}
