import { piecesText } from '#app/features/catalog/catalog.ts'
import { Link } from 'react-router'
import { Children, type ReactNode, useId } from 'react'
import { BadgePercent, ChartColumn, MessageCircle, Plus } from '#app/ui/icons.tsx'
import { undeliveredText } from '#app/features/admin/email-outbox/outbox.ts'
import { UndeliveredLine, UrgentLine } from './notices.tsx'
import { formatMoney } from '#app/features/pricing/money.ts'
import { formatDate } from '#app/ui/dates.ts'
import type { Waiting } from './waiting.server.ts'
import css from './welcome-page.module.css'

type Props = { firstName: string; waiting: Waiting; urgent: string[]; timeZone: string }

const actions = [
  ['Add a piece', '/manage/item/', Plus],
  ['Messages', '/manage/messages/', MessageCircle],
  ['Put on sale', '/manage/discount/', BadgePercent],
  ['Reports', '/manage/reports/', ChartColumn],
] as const

export function WelcomePage({ firstName, waiting: { unread, requests, letters, voices, colors, sales }, urgent, timeZone }: Props) {
  const isQuiet = unread.count + requests.count + voices.count + colors.count + urgent.length === 0 && !undeliveredText(letters)
  const gone = colors.lines.filter((color) => !color.isAvailable)
  const low = colors.lines.filter((color) => color.isAvailable)
  return (
    <main className="page" id="main">
      <h1>{`Welcome, ${firstName}`}</h1>
      <ul role="list" className={css.actions}>
        {actions.map(([name, to, Icon]) => (
          <li key={to}>
            <Link to={to} className={`card row centered-text small strong undecorated ${css.action}`}>
              <Icon size={22} aria-hidden="true" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <p className="soft">{isQuiet ? 'All is quiet. Nothing waits for you.' : 'This waits for you.'}</p>
      <UrgentLine titles={urgent} />
      <UndeliveredLine {...letters} />
      <div className={css.cards}>
        <WaitingCard title="Unread conversations" count={unread.count} to="/manage/messages/" more="All messages">
          {unread.lines.map(({ id, name, lastMessage, lastAt }) => (
            <WaitingLine key={id} to={`/manage/messages/${id}`} name={name} more={lastMessage ?? ''}>
              {lastAt !== null && formatDate(lastAt, timeZone)}
            </WaitingLine>
          ))}
        </WaitingCard>
        <WaitingCard title="Open requests" count={requests.count} to="/manage/messages/?show=requests" more="All requests">
          {requests.lines.map(({ id, name, pieces, cents, createdAt }) => (
            <WaitingLine key={id} to={`/manage/messages/${id}`} name={name} more={`${piecesText(pieces)}, ${formatMoney(cents)}`}>
              {formatDate(createdAt, timeZone)}
            </WaitingLine>
          ))}
        </WaitingCard>
        <WaitingCard title="New testimonials" count={voices.count} to="/manage/testimonials/" more="All testimonials">
          {voices.lines.map(({ id, name, writtenAt }) => (
            <WaitingLine key={id} to="/manage/testimonials/" name={name}>
              {formatDate(writtenAt, timeZone)}
            </WaitingLine>
          ))}
        </WaitingCard>
        <WaitingCard title="Colors running low" count={colors.count} to="/manage/colors/" more="All colors" shown={colors.lines.length}>
          {low.length > 0 && <WaitingLine to="/manage/colors/" name="Low on stock" more={colorNames(low)} />}
          {gone.length > 0 && <WaitingLine to="/manage/colors/" name="Not available" more={colorNames(gone)} />}
        </WaitingCard>
        <WaitingCard title="Last sales" count={sales.length} to="/manage/sales/" more="All sales">
          {sales.map(({ id, buyer, itemName, salePriceCents }) => (
            <WaitingLine key={id} to="/manage/sales/" name={itemName} more={`for ${buyer}`}>
              <span className="tabular">{formatMoney(salePriceCents)}</span>
            </WaitingLine>
          ))}
        </WaitingCard>
      </div>
    </main>
  )
}

type CardProps = {
  title: string
  count: number
  shown?: number
  to: string
  more: string
  children: ReactNode
}

function WaitingCard({ title, count, to, more, children, shown = Children.count(children) }: CardProps) {
  const id = useId()
  if (count === 0) return null
  return (
    <section className={`card ${css.card}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul role="list">{children}</ul>
      <Link to={to} className={`aligned strong undecorated ${css.more}`}>
        {count > shown ? `${more} (${count - shown} more)` : more}
      </Link>
    </section>
  )
}

type LineProps = { to: string; name: string; more?: string; children?: ReactNode }

/** The whole line leads there; a long name and a long message leave the date its place. */
function WaitingLine({ to, name, more, children }: LineProps) {
  return (
    <li>
      <Link to={to} className={`stack undecorated ${css.line}`}>
        <span className={`strong ${css.name}`}>{name}</span>
        {children && <small className="soft">{children}</small>}
        {more && <span className={`two-lines soft ${css.what}`}>{more}</span>}
      </Link>
    </li>
  )
}

const colorNames = (colors: { name: string }[]): string => colors.map(({ name }) => name.replaceAll('_', ' ')).join(', ')
