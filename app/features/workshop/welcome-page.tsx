/** The first page of the owner's side (S-090): a welcome and what waits. */
import { MailWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { undeliveredText } from '#app/features/mail/outbox.ts'
import { formatMoney } from '#app/features/money/money.ts'
import { formatDate } from '#app/ui/dates.ts'
import type { Waiting } from './waiting.server.ts'
import css from './welcome-page.module.css'

type Props = { firstName: string; waiting: Waiting; timeZone: string }

export function WelcomePage({ firstName, waiting: { unread, letters, voices, colors, sales }, timeZone }: Props) {
  const undelivered = undeliveredText(letters)
  return (
    <main className="page" id="main">
      <h1>{`Welcome, ${firstName}`}</h1>
      <p className="soft">
        {unread.length + voices.length + colors.length > 0 || undelivered ? 'This waits for you.' : 'All is quiet. Nothing waits for you.'}
      </p>
      {undelivered && (
        <p className={css.undelivered}>
          <MailWarning size={20} aria-hidden="true" />
          <span>{undelivered}</span>
          <Link to="/manage/mail/">See the mail</Link>
        </p>
      )}
      <div className={css.cards}>
        <Card title="Unread conversations" empty="Every message is read." to="/manage/messages/" more="All messages">
          {unread.map(({ id, name, createdAt }) => (
            <li key={id}>
              <Link className={css.name} to={`/manage/messages/${id}`}>
                {name}
              </Link>
              <span className="soft">{formatDate(createdAt, timeZone)}</span>
            </li>
          ))}
        </Card>
        <Card title="New testimonials" empty="Every testimony is looked at." to="/manage/testimonials/" more="All testimonials">
          {voices.map(({ id, name, writtenAt }) => (
            <li key={id}>
              <span>{name}</span>
              <span className="soft">{formatDate(writtenAt, timeZone)}</span>
            </li>
          ))}
        </Card>
        <Card title="Colors running low" empty="All colors are in stock." to="/manage/colors/" more="All colors">
          {colors.map(({ id, name, isAvailable }) => (
            <li key={id}>
              <span>{name.replaceAll('_', ' ')}</span>
              <span className="soft">{isAvailable ? 'Low on stock' : 'Not available'}</span>
            </li>
          ))}
        </Card>
        <Card title="Last sales" empty="No sale yet." to="/manage/sales/" more="All sales">
          {sales.map(({ id, buyer, itemName, salePriceCents }) => (
            <li key={id}>
              <span>
                {itemName} <span className="soft">for {buyer}</span>
              </span>
              <span className="tabular">{formatMoney(salePriceCents)}</span>
            </li>
          ))}
        </Card>
      </div>
    </main>
  )
}

type CardProps = { title: string; empty: string; to: string; more: string; children: ReactNode[] }

function Card({ title, empty, to, more, children }: CardProps) {
  return (
    <section className={`card ${css.card}`}>
      <h2>{title}</h2>
      {children.length > 0 ? (
        <ul role="list" className={css.list}>
          {children}
        </ul>
      ) : (
        <p className="soft">{empty}</p>
      )}
      <Link to={to} className={css.more}>
        {more}
      </Link>
    </section>
  )
}
