import { Children, type ReactNode, useId } from 'react'
import { Form, Link } from 'react-router'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import { undeliveredText } from '../mail/texts.ts'
import { pluralizePieces } from '#catalog/texts.ts'
import { LastMessage } from '#messaging/list/last-message.tsx'
import { openAmountTexts } from '#payments/owner-texts.ts'
import { useMoney } from '#pricing/use-money.ts'
import { formatDate } from '#ui/format-date.ts'
import { HiddenFields } from '#ui/form-fields.tsx'
import { MessageCircle } from '#ui/icons.tsx'
import { BadgePercent, ChartColumn, Plus } from '#ui/owner-icons.tsx'
import { CriticalNotice, FailedEmailNotice } from './admin-layout.tsx'
import type { PendingItems } from './pending-items.server.ts'
import { type FirstStep, dashboardTexts as texts, firstStepsTexts } from './texts.ts'
import css from './dashboard-page.module.css'

type StepState = { step: FirstStep; isDone: boolean }
type DashboardPageProps = {
  firstName: string
  waiting: PendingItems
  urgent: string[]
  firstSteps: StepState[] | null
}

const links = [
  { name: texts.addItem, to: '/manage/item/', Icon: Plus },
  { name: texts.messages, to: '/manage/messages/', Icon: MessageCircle },
  { name: texts.putOnSale, to: '/manage/discount/', Icon: BadgePercent },
  { name: texts.reports, to: '/manage/reports/', Icon: ChartColumn },
]

export function DashboardPage({ firstName, waiting, urgent, firstSteps }: DashboardPageProps) {
  const isQuiet = urgent.length === 0 && isNothingPending(waiting)
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
        {links.map(({ name, to, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={`card flex items-center gap-3 text-center text-sm font-semibold no-underline ${css.action}`}
            >
              <Icon size={22} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
      {isQuiet && steps}
      {(!isQuiet || !firstSteps) && (
        <p className="text-soft">{isQuiet ? texts.nothingToDo : texts.toDo}</p>
      )}
      <CriticalNotice titles={urgent} />
      <FailedEmailNotice {...waiting.emails} />
      <div className={css.cards}>
        <UnreadCard unread={waiting.unread} />
        <RequestsCard requests={waiting.requests} />
        <HandedOverCard handedOver={waiting.handedOver} />
        {waiting.openAmounts && <OpenAmountsCard openAmounts={waiting.openAmounts} />}
        <TestimoniesCard testimonies={waiting.testimonies} />
        <ColorsCard colors={waiting.colors} />
        <SalesCard sales={waiting.sales} />
      </div>
      {!isQuiet && steps}
    </main>
  )
}

const isNothingPending = ({ emails, ...waiting }: PendingItems) =>
  [waiting.unread, waiting.requests, waiting.handedOver, waiting.testimonies, waiting.colors].every(
    ({ count }) => count === 0,
  ) && !undeliveredText(emails)

const stepUrls: Record<FirstStep, string> = {
  name: '/manage/settings/#shop',
  region: '/manage/settings/#region',
  contact: '/manage/settings/#contact',
  texts: '/manage/home/',
  categories: '/manage/category/',
  colors: '/manage/colors/',
  piece: '/manage/item/',
  payment: '/manage/settings/#payments',
  email: '/manage/mail/#mailbox-form',
  backup: '/manage/backups/',
  recovery: '/account/second-factor/',
}

const FirstStepsCard = ({ steps }: { steps: StepState[] }) => (
  <section
    className={`card ${css.steps}`}
    aria-labelledby="first-steps"
  >
    <h2 id="first-steps">{firstStepsTexts.title}</h2>
    <p className="text-soft">
      {firstStepsTexts.intro(steps.filter(({ isDone }) => isDone).length, steps.length)}
    </p>
    <ol role="list">
      {steps.map(({ step, isDone }) => (
        <li
          key={step}
          data-done={isDone}
        >
          <Link
            className="tap"
            to={stepUrls[step]}
          >
            {firstStepsTexts.steps[step]}
          </Link>
          {isDone && <span className="sr-only">{firstStepsTexts.done}</span>}
        </li>
      ))}
    </ol>
    <p>
      <Link
        className="tap"
        to="/manage/import-export/#etsy"
      >
        {firstStepsTexts.etsy}
      </Link>
    </p>
    <Form
      method="post"
      action="/manage/?index"
    >
      <HiddenFields intent="hide-first-steps" />
      <button className="button quiet">{firstStepsTexts.hide}</button>
    </Form>
  </section>
)

type CardOf<Key extends keyof PendingItems> = { [Name in Key]: NonNullable<PendingItems[Name]> }

const UnreadCard = ({ unread }: CardOf<'unread'>) => (
  <PendingCard
    texts={texts.unread}
    count={unread.count}
    to="/manage/messages/"
  >
    {unread.lines.map(({ id, name, ...last }) => (
      <PendingRow
        key={id}
        to={`/manage/messages/${id}`}
        name={name}
        more={<LastMessage {...last} />}
      >
        {last.lastAt !== null && <Day at={last.lastAt} />}
      </PendingRow>
    ))}
  </PendingCard>
)

const RequestsCard = ({ requests }: CardOf<'requests'>) => (
  <PendingCard
    texts={texts.requests}
    count={requests.count}
    to="/manage/messages/?show=requests"
  >
    {requests.lines.map((line) => (
      <PiecesRow
        key={line.id}
        {...line}
        to={`/manage/messages/${line.id}`}
      />
    ))}
  </PendingCard>
)

const HandedOverCard = ({ handedOver }: CardOf<'handedOver'>) => (
  <PendingCard
    texts={texts.handedOver}
    count={handedOver.count}
    to="/manage/queue/"
  >
    {handedOver.lines.map(({ orderId, customer, ...line }) => (
      <PiecesRow
        key={orderId}
        {...line}
        name={customer}
        to={`/manage/messages/${orderId}?view=order`}
      />
    ))}
  </PendingCard>
)

type PiecesRowProps = Record<'to' | 'name', string> & Record<'pieces' | 'cents' | 'at', number>

function PiecesRow({ to, name, pieces, cents, at }: PiecesRowProps) {
  const money = useMoney()
  return (
    <PendingRow
      to={to}
      name={name}
      more={`${pluralizePieces(pieces)}, ${money(cents)}`}
    >
      <Day at={at} />
    </PendingRow>
  )
}

function OpenAmountsCard({ openAmounts }: CardOf<'openAmounts'>) {
  const money = useMoney()
  const { title, all } = openAmountTexts
  return (
    <PendingCard
      texts={{ title, all: all(money(openAmounts.cents)) }}
      count={openAmounts.count}
      to="/manage/reports/#open-amounts"
    >
      {openAmounts.lines.map(({ orderId, customer, reference, cents }) => (
        <PendingRow
          key={reference}
          to={`/manage/messages/${orderId}`}
          name={customer}
          more={reference}
        >
          <span className="tabular-nums">{money(cents)}</span>
        </PendingRow>
      ))}
    </PendingCard>
  )
}

const TestimoniesCard = ({ testimonies }: CardOf<'testimonies'>) => (
  <PendingCard
    texts={texts.testimonials}
    count={testimonies.count}
    to="/manage/testimonials/"
  >
    {testimonies.lines.map(({ id, name, writtenAt }) => (
      <PendingRow
        key={id}
        to="/manage/testimonials/"
        name={name}
      >
        <Day at={writtenAt} />
      </PendingRow>
    ))}
  </PendingCard>
)

function ColorsCard({ colors }: CardOf<'colors'>) {
  const { count, lines } = colors
  const unavailable = lines.filter((color) => !color.isAvailable)
  const lowOnStock = lines.filter((color) => color.isAvailable)
  return (
    <PendingCard
      texts={texts.colors}
      count={count}
      to="/manage/colors/"
      shown={lines.length}
    >
      {lowOnStock.length > 0 && (
        <PendingRow
          to="/manage/colors/"
          name={texts.colors.low}
          more={colorNames(lowOnStock)}
        />
      )}
      {unavailable.length > 0 && (
        <PendingRow
          to="/manage/colors/"
          name={texts.colors.unavailable}
          more={colorNames(unavailable)}
        />
      )}
    </PendingCard>
  )
}

function SalesCard({ sales }: CardOf<'sales'>) {
  const money = useMoney()
  return (
    <PendingCard
      texts={texts.sales}
      count={sales.length}
      to="/manage/sales/"
    >
      {sales.map(({ id, buyer, itemName, salePriceCents, isCancellation }) => (
        <PendingRow
          key={id}
          to="/manage/sales/"
          name={itemName}
          more={texts.sales.buyer(buyer, isCancellation)}
        >
          <span className="tabular-nums">{money(salePriceCents)}</span>
        </PendingRow>
      ))}
    </PendingCard>
  )
}

type PendingCardProps = {
  texts: { title: string; all: string }
  count: number
  shown?: number
  to: string
  children: ReactNode
}

function PendingCard({
  texts: { title, all },
  count,
  to,
  children,
  shown = Children.count(children),
}: PendingCardProps) {
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
        className={`flex items-center font-semibold no-underline ${css.more}`}
      >
        {count > shown ? texts.more(all, count - shown) : all}
      </Link>
    </section>
  )
}

type PendingRowProps = { to: string; name: string; more?: ReactNode; children?: ReactNode }

function PendingRow({ to, name, more, children }: PendingRowProps) {
  return (
    <li>
      <Link
        to={to}
        className={`grid gap-4 no-underline ${css.line}`}
      >
        <span className={`font-semibold ${css.name}`}>
          <bdi>{name}</bdi>
        </span>
        {children && <small className="text-soft">{children}</small>}
        {more && (
          <span
            className={`line-clamp-2 text-soft ${css.what}`}
            dir="auto"
          >
            {more}
          </span>
        )}
      </Link>
    </li>
  )
}

const Day = ({ at }: { at: number }) => formatDate(at, useShopTimeZone())

const colorNames = (colors: { name: string }[]) =>
  colors.map(({ name }) => name.replaceAll('_', ' ')).join(', ')
