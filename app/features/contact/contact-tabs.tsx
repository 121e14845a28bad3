/**
 * The tabs of the contact page (CONTACT-01). Links, so that they work before and without script; a tabs library would bring 5 kB for the
 * arrow keys below and take the links away.
 */
import { Camera, Mail, Phone, Users } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { tabNames, tabOf, tabs, type Tab } from './contact.ts'
import css from './contact-tabs.module.css'

const icons = { facebook: Users, instagram: Camera, mail: Mail, phone: Phone }

/** The address says which; nothing has to be fetched for another one, so it opens at once and without a connection too. */
export const useOpenTab = (): Tab => tabOf(useSearchParams()[0].get('tab'))

export function ContactTabs({ open }: { open: Tab }) {
  const navigate = useNavigate()
  /** From the tab that has the focus: a quick second press must not wait for the address to follow the first. */
  function step(event: KeyboardEvent, from: Tab) {
    const last = tabs.length - 1
    const at = tabs.indexOf(from)
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key]
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    document.getElementById(`tab-${tabs[next]}`)?.focus()
    void navigate(`?tab=${tabs[next]}`, { replace: true, preventScrollReset: true, defaultShouldRevalidate: false })
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
            defaultShouldRevalidate={false}
            aria-selected={name === open}
            aria-controls={`panel-${name}`}
            tabIndex={name === open ? 0 : -1}
            className={css.tab}
            onKeyDown={(event) => step(event, name)}
          >
            <Icon size={20} aria-hidden="true" />
            {tabNames[name]}
          </Link>
        )
      })}
    </div>
  )
}
