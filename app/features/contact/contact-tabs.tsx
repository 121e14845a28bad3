/**
 * The tabs of the contact page (CONTACT-01). Links, so that they work before and without script; a tabs library would bring 5 kB for the
 * arrow keys below and take the links away.
 */
import { Camera, Mail, Phone, Users } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Link, useNavigate, useNavigation } from 'react-router'
import { tabNames, tabOf, tabs, type Tab } from './contact.ts'
import css from './contact-tabs.module.css'

const icons = { facebook: Users, instagram: Camera, mail: Mail, phone: Phone }

/** The tab that has just been asked for opens at once; its address follows. */
export function useOpenTab(open: Tab): Tab {
  const { location } = useNavigation()
  return location && /^\/contact\/?$/.test(location.pathname) ? tabOf(new URLSearchParams(location.search).get('tab')) : open
}

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
    void navigate(`?tab=${tabs[next]}`, { replace: true, preventScrollReset: true })
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
