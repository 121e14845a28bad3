import { pluralizePieces } from '#app/features/catalog/texts.ts'
import { Link } from 'react-router'
import { Children, type ComponentProps, type ReactNode, useId } from 'react'
import { BadgePercent, ChartColumn, MessageCircle, Plus } from '#app/ui/icons.tsx'
import { undeliveredText } from '#app/features/admin/email-outbox/texts.ts'
import { FailedEmailNotice, CriticalNotice } from './notices.tsx'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { LastMessage } from '#app/features/messaging/last-message.tsx'
import { openAmountTexts } from '#app/features/payments/owner-texts.ts'
import { formatDate } from '#app/ui/format-date.ts'
import { FirstStepsCard } from './first-steps-card.tsx'
import type { PendingItems } from './pending-items.server.ts'
import { dashboardTexts as texts } from './texts.ts'
import css from './dashboard-page.module.css'

type Props = {
  firstName: string
  waiting: PendingItems
  urgent: string[]
  /** the first steps in a new shop, or null if all steps are done or the owner has hidden them */
  firstSteps: ComponentProps<typeof FirstStepsCard>['steps'] | null
  timeZone: string
}

const actions = [
  [texts.addItem, '/manage/item/', Plus],
  [texts.messages, '/manage/messages/', MessageCircle],
  [texts.putOnSale, '/manage/discount/', BadgePercent],
  [texts.reports, '/manage/reports/', ChartColumn],
] as const

export function DashboardPage({ firstName, waiting, urgent, firstSteps, timeZone }: Props) {
  const { unread, requests, handedOver, emails, testimonies, colors, sales, openAmounts } = waiting
  const currency = useCurrency()
  const isQuiet =
    unread.count +
      requests.count +
      handedOver.count +
      testimonies.count +
      colors.count +
      urgent.length ===
      0 && !undeliveredText(emails)
  const gone = colors.lines.filter((color) => !color.isAvailable)
  const low = colors.lines.filter((color) => color.isAvailable)
  const steps = firstSteps && <FirstStepsCard steps={firstSteps} />
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title(firstName)}</h1>
      <ul
        role="list"
        className={css.actions}
      >
        {actions.map(([name, to, Icon]) => (
          <li key={to}>
            <Link
              to={to}
              className={`card row centered-text small strong undecorated ${css.action}`}
            >
              <Icon
                size={22}
                aria-hidden="true"
              />
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {isQuiet && steps}
      {(!isQuiet || !firstSteps) && (
        <p className="soft">{isQuiet ? texts.nothingToDo : texts.toDo}</p>
      )}
      <CriticalNotice titles={urgent} />
      <FailedEmailNotice {...emails} />
      <div className={css.cards}>
        <PendingCard
          title={texts.unread.title}
          count={unread.count}
          to="/manage/messages/"
          more={texts.unread.all}
        >
          {unread.lines.map(({ id, name, ...last }) => (
            <PendingRow
              key={id}
              to={`/manage/messages/${id}`}
              name={name}
              more={<LastMessage {...last} />}
            >
              {last.lastAt !== null && formatDate(last.lastAt, timeZone)}
            </PendingRow>
          ))}
        </PendingCard>
        <PendingCard
          title={texts.requests.title}
          count={requests.count}
          to="/manage/messages/?show=requests"
          more={texts.requests.all}
        >
          {requests.lines.map(({ id, name, pieces, cents, at }) => (
            <PendingRow
              key={id}
              to={`/manage/messages/${id}`}
              name={name}
              more={`${pluralizePieces(pieces)}, ${formatMoney(cents, currency)}`}
            >
              {formatDate(at, timeZone)}
            </PendingRow>
          ))}
        </PendingCard>
        <PendingCard
          title={texts.handedOver.title}
          count={handedOver.count}
          to="/manage/queue/"
          more={texts.handedOver.all}
        >
          {handedOver.lines.map(({ orderId, customer, pieces, cents, at }) => (
            <PendingRow
              key={orderId}
              to={`/manage/messages/${orderId}?view=order`}
              name={customer}
              more={`${pluralizePieces(pieces)}, ${formatMoney(cents, currency)}`}
            >
              {formatDate(at, timeZone)}
            </PendingRow>
          ))}
        </PendingCard>
        {openAmounts && (
          <PendingCard
            title={openAmountTexts.title}
            count={openAmounts.count}
            to="/manage/reports/#open-amounts"
            more={openAmountTexts.all(formatMoney(openAmounts.cents, currency))}
          >
            {openAmounts.lines.map(({ orderId, customer, reference, cents }) => (
              <PendingRow
                key={reference}
                to={`/manage/messages/${orderId}`}
                name={customer}
                more={reference}
              >
                <span className="tabular">{formatMoney(cents, currency)}</span>
              </PendingRow>
            ))}
          </PendingCard>
        )}
        <PendingCard
          title={texts.testimonials.title}
          count={testimonies.count}
          to="/manage/testimonials/"
          more={texts.testimonials.all}
        >
          {testimonies.lines.map(({ id, name, writtenAt }) => (
            <PendingRow
              key={id}
              to="/manage/testimonials/"
              name={name}
            >
              {formatDate(writtenAt, timeZone)}
            </PendingRow>
          ))}
        </PendingCard>
        <PendingCard
          title={texts.colors.title}
          count={colors.count}
          to="/manage/colors/"
          more={texts.colors.all}
          shown={colors.lines.length}
        >
          {low.length > 0 && (
            <PendingRow
              to="/manage/colors/"
              name={texts.colors.low}
              more={colorNames(low)}
            />
          )}
          {gone.length > 0 && (
            <PendingRow
              to="/manage/colors/"
              name={texts.colors.unavailable}
              more={colorNames(gone)}
            />
          )}
        </PendingCard>
        <PendingCard
          title={texts.sales.title}
          count={sales.length}
          to="/manage/sales/"
          more={texts.sales.all}
        >
          {sales.map(({ id, buyer, itemName, salePriceCents, isCancellation }) => (
            <PendingRow
              key={id}
              to="/manage/sales/"
              name={itemName}
              more={texts.sales.buyer(buyer, isCancellation)}
            >
              <span className="tabular">{formatMoney(salePriceCents, currency)}</span>
            </PendingRow>
          ))}
        </PendingCard>
      </div>
      {!isQuiet && steps}
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

function PendingCard({
  title,
  count,
  to,
  more,
  children,
  shown = Children.count(children),
}: CardProps) {
  const id = useId()
  if (count === 0) return null
  return (
    <section
      className={`card ${css.card}`}
      aria-labelledby={id}
    >
      <h2 id={id}>{title}</h2>
      <ul role="list">{children}</ul>
      <Link
        to={to}
        className={`aligned strong undecorated ${css.more}`}
      >
        {count > shown ? texts.more(more, count - shown) : more}
      </Link>
    </section>
  )
}

type RowProps = { to: string; name: string; more?: ReactNode; children?: ReactNode }

/** The whole row is a link. Long names and messages are cut off, so that the date has room. */
function PendingRow({ to, name, more, children }: RowProps) {
  return (
    <li>
      <Link
        to={to}
        className={`stack undecorated ${css.line}`}
      >
        <span className={`strong ${css.name}`}>
          <bdi>{name}</bdi>
        </span>
        {children && <small className="soft">{children}</small>}
        {more && (
          <span
            className={`two-lines soft ${css.what}`}
            dir="auto"
          >
            {more}
          </span>
        )}
      </Link>
    </li>
  )
}

const colorNames = (colors: { name: string }[]): string =>
  colors.map(({ name }) => name.replaceAll('_', ' ')).join(', ')
