/** A short list of what waits, with the way to all of it; nothing at all where nothing waits. */
import { Children, useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import css from './waiting-card.module.css'

type CardProps = {
  title: string
  /** in all, also beyond those that are shown */
  count: number
  /** how many of them the lines tell; each line one, unless said */
  shown?: number
  to: string
  more: string
  children: ReactNode
}

export function WaitingCard({ title, count, to, more, children, shown = Children.count(children) }: CardProps) {
  const id = useId()
  if (count === 0) return null
  return (
    <section className={`card ${css.card}`} aria-labelledby={id}>
      <h2 className={css.title} id={id}>
        {title}
      </h2>
      <ul role="list" className={css.list}>
        {children}
      </ul>
      <Link to={to} className={css.more}>
        {count > shown ? `${more} (${count - shown} more)` : more}
      </Link>
    </section>
  )
}

type LineProps = { to: string; name: string; more?: string; children?: ReactNode }

/** The whole line leads there; a long name and a long message leave the date its place. */
export function WaitingLine({ to, name, more, children }: LineProps) {
  return (
    <li>
      <Link to={to} className={css.line}>
        <span className={css.name}>{name}</span>
        {children && <span className={css.aside}>{children}</span>}
        {more && <span className={css.what}>{more}</span>}
      </Link>
    </li>
  )
}
