import type { ReactNode } from 'react'
import { href, Link, useLocation } from 'react-router'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import { OwnCredit } from '#credits/own-credit.tsx'
import { creditTexts } from '#credits/texts.ts'
import { useCurrency } from '#pricing/currency-context.ts'
import type { Cents } from '#pricing/money.ts'
import { useMoney } from '#pricing/use-money.ts'
import { invoiceNumber } from '#conversation/invoice-number.ts'
import { offerSums } from '#offers/offer.ts'
import { offerTexts } from '#offers/texts.ts'
import { parcelState } from '#parcels/parcel.ts'
import { ParcelFacts } from '#parcels/parcel-part.tsx'
import { OfferPaymentPart } from '#payments/payment-card.tsx'
import { queueTexts } from '#production-queue/texts.ts'
import { formatDate, formatIsoDay } from '#ui/format-date.ts'
import { withPanel } from '#ui/message-panel-url.ts'
import type { ImageView } from '#ui/responsive-image.tsx'
import { Thumbnail } from '#ui/thumbnail.tsx'
import { rewardText } from '#testimonials/testimony.ts'
import { AccountSection } from '../account-section.tsx'
import { ownOrdersTexts as texts } from '../texts.ts'
import type { OwnOrders } from './own-orders.server.ts'
import pageCss from '../account-page.module.css'
import css from './own-orders-page.module.css'

export function OwnOrdersPage({ isGuest, ...orders }: OwnOrders & { isGuest: boolean }) {
  const { agreements, requested, receipts, credits } = orders
  const isEmpty = agreements.length + requested.length + receipts.length === 0
  const { search } = useLocation()
  const currency = useCurrency()
  const conversation = (
    <Link
      className="button quiet"
      to={{ search: withPanel(search) }}
      preventScrollReset
    >
      {texts.conversation}
    </Link>
  )
  return (
    <main
      className={`page ${pageCss.page}`}
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className={`intro ${pageCss.title}`}>{texts.intro}</p>
      {isGuest && <p>{texts.onlyHere}</p>}
      <div className={`grid gap-4 ${pageCss.sections}`}>
        {agreements.length > 0 && (
          <AccountSection
            id="agreed"
            texts={texts.agreed}
          >
            {agreements.map((agreement) => (
              <AgreementCard
                key={agreement.offer.id}
                {...agreement}
              />
            ))}
            {conversation}
          </AccountSection>
        )}
        {(requested.length > 0 || isEmpty) && (
          <RequestedSection {...orders}>
            {orders.hasConversation && agreements.length === 0 && conversation}
          </RequestedSection>
        )}
        {credits.length > 0 && (
          <AccountSection
            id="credit"
            texts={{
              title: creditTexts.title,
              hint:
                credits.some(({ state }) => state === 'open') &&
                creditTexts.hint(rewardText(currency)),
            }}
          >
            {credits.map((credit) => (
              <OwnCredit
                key={credit.code}
                credit={credit}
              />
            ))}
          </AccountSection>
        )}
        {receipts.length > 0 && (
          <AccountSection
            id="bought"
            texts={texts.bought}
          >
            {receipts.map((receipt) => (
              <ReceiptCard
                key={receipt.key}
                receipt={receipt}
              />
            ))}
          </AccountSection>
        )}
      </div>
    </main>
  )
}

function RequestedSection({
  requested,
  isClosed,
  children,
}: Pick<OwnOrders, 'requested' | 'isClosed'> & { children: ReactNode }) {
  const timeZone = useShopTimeZone()
  function stateOf({ isOffered, at }: OwnOrders['requested'][number]) {
    if (isClosed) return texts.closed
    if (isOffered) return texts.offered
    return at === null ? texts.open : texts.since(formatDate(at, timeZone))
  }
  return (
    <AccountSection
      id="requested"
      texts={texts.requested}
    >
      {requested.length === 0 && <p className="text-soft">{texts.nothingRequested}</p>}
      <ul
        className={`grid gap-4 ${css.list}`}
        role="list"
      >
        {requested.map((piece) => (
          <Piece
            key={piece.id}
            piece={piece}
            cents={piece.cents}
          >
            {stateOf(piece)}
          </Piece>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        {children}
        {requested.length === 0 && (
          <Link
            className="button quiet"
            to="/gallery/"
          >
            {texts.gallery}
          </Link>
        )}
      </div>
    </AccountSection>
  )
}

function ReceiptCard({ receipt }: { receipt: OwnOrders['receipts'][number] }) {
  const money = useMoney()
  const timeZone = useShopTimeZone()
  const { receiptTag, number, shipping, items } = receipt
  return (
    <article className={`border-b ${css.receipt}`}>
      <h3 className={css.date}>{formatDate(receipt.at, timeZone)}</h3>
      <p className="text-soft text-sm">
        {texts.papers(receiptTag, number === null ? null : invoiceNumber(number))}
      </p>
      <ul
        className={`grid gap-4 ${css.list}`}
        role="list"
      >
        {items.map((item, index) => (
          <Piece
            key={index}
            piece={item}
            cents={item.salePrice}
            original={item.price !== null && item.price > item.salePrice ? item.price : null}
          >
            {item.isCanceled ? texts.canceled : item.step && queueTexts.steps[item.step]}
          </Piece>
        ))}
      </ul>
      {items.some(({ isCanceled }) => !isCanceled) && (
        <dl className={css.sums}>
          {(number !== null || shipping > 0) && (
            <Sum
              name={texts.shipping}
              amount={shipping === 0 ? texts.free : money(shipping)}
            />
          )}
          <Sum
            name={texts.total}
            amount={money(receipt.total)}
            isTotal
          />
          {receipt.payments.map((payment, index) => (
            <Sum
              key={index}
              {...payment}
            />
          ))}
        </dl>
      )}
    </article>
  )
}

function AgreementCard({ at, orderId, offer, pieces }: OwnOrders['agreements'][number]) {
  const money = useMoney()
  const timeZone = useShopTimeZone()
  const { lines, readyBy, steps, isShipped, parcel } = offer
  return (
    <article className={`border-b grid gap-4 min-w-0 ${css.receipt}`}>
      <h3 className={css.date}>{texts.acceptedOn(formatDate(at, timeZone))}</h3>
      {readyBy && (
        <p className="text-soft text-sm m-0">{offerTexts.readyBy(formatIsoDay(readyBy))}</p>
      )}
      <ul
        className={`grid gap-4 ${css.list}`}
        role="list"
      >
        {pieces.map((piece, index) => {
          const { quantity, cents } = lines[index]!
          const step = steps?.[index + 1]
          return (
            <Piece
              key={index}
              piece={{ ...piece, quantity }}
              cents={cents * quantity}
            >
              {step && queueTexts.steps[step]}
            </Piece>
          )
        })}
      </ul>
      <dl className={css.sums}>
        {offerSums(offer).map(({ name, cents, isTotal }) => (
          <Sum
            key={name}
            name={name}
            amount={money(cents)}
            isTotal={isTotal}
          />
        ))}
      </dl>
      {parcel?.shippedAt && <ParcelFacts parcel={parcel} />}
      <OfferPaymentPart
        offer={offer}
        orderId={orderId}
        isOwner={false}
        isOpen={false}
      />
      {isShipped && parcelState(parcel) === 'no-address' && (
        <p className="m-0">{texts.addressMissing}</p>
      )}
      {parcel && !parcel.shippedAt && <ParcelFacts parcel={parcel} />}
    </article>
  )
}

type SumProps = { name: string; amount: string; isTotal?: boolean }

const Sum = ({ name, amount, isTotal = false }: SumProps) => (
  <div
    className={`flex items-center gap-3 justify-between tabular-nums ${isTotal ? 'font-semibold' : 'text-soft text-sm'}`}
  >
    <dt>{name}</dt>
    <dd className="whitespace-nowrap">{amount}</dd>
  </div>
)

type PieceProps = {
  piece: {
    id: string
    name: string
    color?: string
    quantity?: number
    image: ImageView | null
    isInShop: boolean
  }
  cents: Cents
  original?: Cents | null
  children?: string | undefined
}

function Piece({ piece, cents, original = null, children }: PieceProps) {
  const { id, color, quantity = 1, image, isInShop } = piece
  const name = quantity > 1 ? `${offerTexts.quantity(quantity)} ${piece.name}` : piece.name
  const money = useMoney()
  return (
    <li className="flex items-center gap-3">
      <Thumbnail image={image} />
      <span className={`flex flex-col min-w-0 ${css.facts}`}>
        {isInShop ? (
          <Link
            className="tap font-semibold text-inherit"
            to={href('/item/:itemid', { itemid: id })}
          >
            {name}
          </Link>
        ) : (
          <strong>{name}</strong>
        )}
        {color && <span className="text-sm">{color}</span>}
        {children && <span className="text-soft text-sm">{children}</span>}
      </span>
      <span className={`font-semibold tabular-nums ${css.price}`}>
        {original !== null && (
          <s className="text-soft text-sm">
            <span className="sr-only">{texts.original}</span>
            {money(original)}
          </s>
        )}{' '}
        {money(cents)}
      </span>
    </li>
  )
}
