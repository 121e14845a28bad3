import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { CordDrawing, LooseKnot } from '#app/ui/cord-drawing.tsx'
import { ChevronLeft, ChevronRight, Plus, Printer, Store } from '#app/ui/icons.tsx'
import type { SalesPage } from './sales.server.ts'
import css from './sales-screen.module.css'
import { photoOf } from '#app/ui/profile-photo.ts'
import { formatDate } from '#app/ui/format-date.ts'
import { paymentMethodName } from './payment-method.ts'
import { type Receipt, buyerDisplayName, itemWithColor, originalPrice } from './receipt.ts'
import { salesTexts as texts } from './texts.ts'
import cardCss from './receipt-card.module.css'

type Props = {
  page: SalesPage
  timeZone: string
  /** the receipt that is open in the overlay */ children: ReactNode
}

export function SalesScreen({ page, timeZone, children }: Props) {
  const currency = useCurrency()
  const { period, receipts, pages } = page
  return (
    <main
      className="page"
      id="main"
    >
      <div className={css.sheet}>
        <div className={`wrap apart ${css.head}`}>
          <h1>{texts.title}</h1>
          <p className="cluster flush">
            <Link
              className="button quiet"
              to="/manage/market/"
              reloadDocument
            >
              <Store
                size={20}
                aria-hidden
              />{' '}
              {texts.market}
            </Link>
            <Link
              className="button quiet"
              to={href('/manage/sales/add')}
            >
              <Plus
                size={20}
                aria-hidden
              />{' '}
              {texts.add}
            </Link>
          </p>
        </div>
        <section
          className={`card stack centered-text gap-below ${css.period}`}
          aria-label={texts.period}
        >
          <Stepper
            what="month"
            previous={period.previousMonth}
            next={period.nextMonth}
          >
            <h2 className={`flush ${css.month}`}>{period.month}</h2>
          </Stepper>
          <Stepper
            what="week"
            previous={period.previousWeek}
            next={period.nextWeek}
          >
            <p className="strong flush">{period.week}</p>
          </Stepper>
          <p
            className={`soft flush tabular ${css.range}`}
            aria-live="polite"
          >
            {period.range}
          </p>
        </section>
        {receipts.length === 0 ? (
          <div className={`centered-text soft ${css.empty}`}>
            <LooseKnot />
            <p className={`large ${css.nothing}`}>{texts.empty}</p>
            <p className="soft">{texts.emptyHint}</p>
          </div>
        ) : (
          <ul className={`bare-list stack ${css.receipts}`}>
            {receipts.map((receipt) => (
              <li key={receipt.key}>
                <ReceiptCard
                  receipt={receipt}
                  search={`${period.here}&receipt=${encodeURIComponent(receipt.key)}`}
                  timeZone={timeZone}
                />
              </li>
            ))}
          </ul>
        )}
        {(pages.newest || pages.older) && (
          <nav
            className={`wrap ${css.pages}`}
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
        )}
        <CordDrawing className={`wide ${css.cord}`} />
        <p className={`wrap apart flush ${css.total}`}>
          <span>{texts.total}</span>{' '}
          <strong className="tabular">{formatMoney(page.total, currency)}</strong>
        </p>
        <p className={`${css.others} soft`}>
          {texts.otherYears.before}
          <Link to={href('/manage/reports')}>{texts.otherYears.link}</Link>
          {texts.otherYears.after}
        </p>
      </div>
      {children}
    </main>
  )
}

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
        <ChevronLeft aria-hidden />
      </Link>
      {children}
      <Link
        className="icon-button"
        to={next}
        preventScrollReset
        aria-label={texts.steps[what].next}
      >
        <ChevronRight aria-hidden />
      </Link>
    </div>
  )
}

/** Returns the id of the element that gets the focus when the owner closes the print overlay of the receipt. */
export const receiptCardId = (key: string): string => `receipt-${key}`

function ReceiptCard({
  receipt,
  search,
  timeZone,
}: {
  receipt: Receipt
  search: string
  timeZone: string
}) {
  return (
    <Link
      id={receiptCardId(receipt.key)}
      className={`card stack same-color undecorated ${cardCss.card}`}
      to={search}
      state={{ fromList: true }}
      preventScrollReset
    >
      <span className="row">
        <img
          className={`rigid raised round ${cardCss.photo}`}
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
          <span className="soft small">
            {formatDate(receipt.createdAt, timeZone)}
            {receipt.method && ` · ${paymentMethodName(receipt.method)}`}
            {receipt.cancels && texts.cancellation}
          </span>
        </span>
        <Printer
          className={`soft rigid ${cardCss.icon}`}
          size={20}
          aria-hidden
        />
      </span>
      <span className={`stack ${cardCss.items}`}>
        {receipt.items.map((item, at) => (
          <span
            className={`wrap ${cardCss.item}`}
            key={at}
          >
            <span className={`slim ${cardCss.name}`}>
              {itemWithColor(item)}
              {item.isCanceled && <span className="soft">{texts.canceled}</span>}
            </span>{' '}
            <ItemPrice item={item} />
          </span>
        ))}
      </span>
      <span className="visually-hidden">{texts.print}</span>
    </Link>
  )
}

function ItemPrice({ item }: { item: Receipt['items'][number] }) {
  const currency = useCurrency()
  const struck = originalPrice(item)
  return (
    <span className={`strong rigid ${cardCss.price} tabular`}>
      {struck !== null && (
        <>
          <s>
            <span className="visually-hidden">{texts.originalPrice}</span>
            {formatMoney(struck, currency)}
          </s>{' '}
          <span className="visually-hidden">{texts.soldFor}</span>
        </>
      )}
      {formatMoney(item.salePrice, currency)}
    </span>
  )
}
