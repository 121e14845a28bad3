import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import { useMoney } from '#pricing/use-money.ts'
import { CordDrawing } from '#ui/cord-drawing.tsx'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { ChevronLeft, ChevronRight, Printer, Store } from '#ui/icons.tsx'
import { Plus } from '#ui/owner-icons.tsx'
import type { SalesPage } from './sales.server.ts'
import css from './sales-screen.module.css'
import { photoOf } from '#ui/profile-photo.ts'
import { formatDate } from '#ui/format-date.ts'
import { type Receipt, buyerDisplayName, itemWithColor, originalPrice } from './receipt.ts'
import { paymentMethodName, salesTexts as texts } from './texts.ts'
import cardCss from './receipt-card.module.css'

type SalesScreenProps = { page: SalesPage; children: ReactNode }

export function SalesScreen({ page, children }: SalesScreenProps) {
  const money = useMoney()
  const { period, receipts, pages } = page
  return (
    <main
      className="page"
      id="main"
    >
      <div className={css.sheet}>
        <div className={`flex flex-wrap gap-3 justify-between ${css.head}`}>
          <h1>{texts.title}</h1>
          <p className="row m-0">
            <Link
              className="button quiet"
              to="/manage/market/"
              reloadDocument
            >
              <Store size={20} /> {texts.market}
            </Link>
            <Link
              className="button quiet"
              to={href('/manage/sales/add')}
            >
              <Plus size={20} /> {texts.add}
            </Link>
          </p>
        </div>
        <SalesPeriod period={period} />
        {receipts.length === 0 ? (
          <div className={`text-center text-soft ${css.empty}`}>
            <LooseKnot />
            <p className={`text-lg ${css.nothing}`}>{texts.empty}</p>
            <p className="text-soft">{texts.emptyHint}</p>
          </div>
        ) : (
          <ul className={`list-none grid gap-4 ${css.receipts}`}>
            {receipts.map((receipt) => (
              <li key={receipt.key}>
                <ReceiptCard
                  receipt={receipt}
                  search={`${period.here}&receipt=${encodeURIComponent(receipt.key)}`}
                />
              </li>
            ))}
          </ul>
        )}
        {(pages.newest || pages.older) && <PageLinks pages={pages} />}
        <CordDrawing className={`w-full ${css.cord}`} />
        <p className={`flex flex-wrap gap-3 justify-between m-0 ${css.total}`}>
          <span>{texts.total}</span> <strong className="tabular-nums">{money(page.total)}</strong>
        </p>
        <p className={`${css.others} text-soft`}>
          {texts.otherYears.before}
          <Link to={href('/manage/reports')}>{texts.otherYears.link}</Link>
          {texts.otherYears.after}
        </p>
      </div>
      {children}
    </main>
  )
}

const SalesPeriod = ({ period }: Pick<SalesPage, 'period'>) => (
  <section
    className={`card grid gap-4 text-center mb-5 ${css.period}`}
    aria-label={texts.period}
  >
    <Stepper
      what="month"
      previous={period.previousMonth}
      next={period.nextMonth}
    >
      <h2 className={`m-0 ${css.month}`}>{period.month}</h2>
    </Stepper>
    <Stepper
      what="week"
      previous={period.previousWeek}
      next={period.nextWeek}
    >
      <p className="font-semibold m-0">{period.week}</p>
    </Stepper>
    <p
      className={`text-soft m-0 tabular-nums ${css.range}`}
      aria-live="polite"
    >
      {period.range}
    </p>
  </section>
)

type StepperProps = {
  what: keyof typeof texts.steps
  previous: string
  next: string
  children: ReactNode
}

function Stepper({ what, previous, next, children }: StepperProps) {
  return (
    <div className={css.stepper}>
      <Link
        className="icon-button"
        to={previous}
        preventScrollReset
        aria-label={texts.steps[what].previous}
      >
        <ChevronLeft />
      </Link>
      {children}
      <Link
        className="icon-button"
        to={next}
        preventScrollReset
        aria-label={texts.steps[what].next}
      >
        <ChevronRight />
      </Link>
    </div>
  )
}

const PageLinks = ({ pages }: Pick<SalesPage, 'pages'>) => (
  <nav
    className={`flex flex-wrap gap-3 ${css.pages}`}
    aria-label={texts.pages}
  >
    {pages.newest && (
      <Link
        className="button quiet"
        to={pages.newest}
      >
        {texts.newest}
      </Link>
    )}
    {pages.older && (
      <Link
        className="button quiet"
        to={pages.older}
      >
        {texts.older}
      </Link>
    )}
  </nav>
)

export const receiptCardId = (key: string) => `receipt-${key}`

function ReceiptCard({ receipt, search }: { receipt: Receipt; search: string }) {
  const timeZone = useShopTimeZone()
  return (
    <Link
      id={receiptCardId(receipt.key)}
      className={`card grid gap-4 text-inherit no-underline ${cardCss.card}`}
      to={search}
      state={{ fromList: true }}
      preventScrollReset
    >
      <span className="flex items-center gap-3">
        <img
          className={`flex-none bg-raised rounded-full ${cardCss.photo}`}
          src={photoOf(receipt.buyerPhotoURL)}
          alt=""
          width="44"
          height="44"
          loading="lazy"
        />
        <span className={cardCss.who}>
          <strong>
            <bdi>{buyerDisplayName(receipt)}</bdi>
          </strong>
          <span className="text-soft text-sm">
            {formatDate(receipt.createdAt, timeZone)}
            {receipt.method && ` · ${paymentMethodName(receipt.method)}`}
            {receipt.cancels && texts.cancellation}
          </span>
        </span>
        <Printer
          className={`text-soft flex-none ${cardCss.icon}`}
          size={20}
        />
      </span>
      <span className={`grid gap-4 ${cardCss.items}`}>
        {receipt.items.map((item, index) => (
          <span
            className={`flex flex-wrap gap-3 ${cardCss.item}`}
            key={index}
          >
            <span className={`min-w-0 ${cardCss.name}`}>
              {itemWithColor(item)}
              {item.isCanceled && <span className="text-soft">{texts.canceled}</span>}
            </span>{' '}
            <ItemPrice item={item} />
          </span>
        ))}
      </span>
      <span className="sr-only">{texts.print}</span>
    </Link>
  )
}

function ItemPrice({ item }: { item: Receipt['items'][number] }) {
  const money = useMoney()
  const struckCents = originalPrice(item)
  return (
    <span className={`font-semibold flex-none ${cardCss.price} tabular-nums`}>
      {struckCents !== null && (
        <>
          <s>
            <span className="sr-only">{texts.originalPrice}</span>
            {money(struckCents)}
          </s>{' '}
          <span className="sr-only">{texts.soldFor}</span>
        </>
      )}
      {money(item.salePrice)}
    </span>
  )
}
