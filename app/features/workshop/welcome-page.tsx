/** The first page of the owner's side (S-090): a welcome, what she does most, and what waits. What does not wait is not there. */
import { BadgePercent, ChartColumn, MessageCircle, Plus } from 'lucide-react'
import { Link } from 'react-router'
import { undeliveredText } from '#app/features/mail/outbox.ts'
import { UndeliveredLine } from '#app/features/mail/undelivered-line.tsx'
import { formatMoney } from '#app/features/money/money.ts'
import { formatDate } from '#app/ui/dates.ts'
import { UrgentLine } from '#app/features/status/urgent-line.tsx'
import { WaitingCard, WaitingLine } from './waiting-card.tsx'
import type { Waiting } from './waiting.server.ts'
import { colorNames, piecesText } from './waiting.ts'
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
            <Link to={to} className={`card ${css.action}`}>
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
