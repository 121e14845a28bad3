import { href, Link, useLocation } from 'react-router'
import { OwnCredit } from '#app/features/credits/own-credit.tsx'
import { creditTexts } from '#app/features/credits/texts.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney, type Cents } from '#app/features/pricing/money.ts'
import { invoiceNumber } from '#app/features/orders/order.ts'
import { offerSums } from '#app/features/offers/offer.ts'
import { offerTexts } from '#app/features/offers/texts.ts'
import { parcelState } from '#app/features/parcels/parcel.ts'
import { ParcelFacts } from '#app/features/parcels/parcel-part.tsx'
import { OfferPaymentPart } from '#app/features/payments/payment-card.tsx'
import { queueTexts } from '#app/features/production-queue/texts.ts'
import { formatDate, formatIsoDay } from '#app/ui/format-date.ts'
import { withPanel } from '#app/ui/message-panel-url.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import { rewardText } from '#app/features/testimonials/testimony.ts'
import { AccountSection } from '../account-section.tsx'
import { ownOrdersTexts as texts } from '../texts.ts'
import type { OwnOrders } from './own-orders.server.ts'
import pageCss from '../account-page.module.css'
import css from './own-orders-page.module.css'

function requestState(
  { isOffered, at }: OwnOrders['requested'][number],
  isClosed: boolean,
  timeZone: string,
): string {
  if (isClosed) return texts.closed
  if (isOffered) return texts.offered
  return at === null ? texts.open : texts.since(formatDate(at, timeZone))
}

export function OwnOrdersPage({
  agreements,
  requested,
  isClosed,
  hasConversation,
  receipts,
  credits,
  timeZone,
}: OwnOrders) {
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
      <div className={`stack ${pageCss.sections}`}>
        {agreements.length > 0 && (
          <AccountSection
            id="agreed"
            title={texts.agreed}
            hint={texts.agreedHint}
          >
            {agreements.map((agreement) => (
              <AgreementCard
                key={agreement.offer.id}
                {...agreement}
                timeZone={timeZone}
              />
            ))}
            {conversation}
          </AccountSection>
        )}
        <AccountSection
          id="requested"
          title={texts.requested}
          hint={texts.requestedHint}
        >
          {requested.length === 0 && <p className="soft">{texts.nothingRequested}</p>}
          <ul
            className={`stack ${css.list}`}
            role="list"
          >
            {requested.map((piece) => (
              <Piece
                key={piece.id}
                piece={piece}
                cents={piece.cents}
              >
                {requestState(piece, isClosed, timeZone)}
              </Piece>
            ))}
          </ul>
          <div className="wrap">
            {hasConversation && agreements.length === 0 && conversation}
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
        {credits.length > 0 && (
          <AccountSection
            id="credit"
            title={creditTexts.title}
            hint={
              credits.some(({ state }) => state === 'open') &&
              creditTexts.hint(rewardText(currency))
            }
          >
            {credits.map((credit) => (
              <OwnCredit
                key={credit.code}
                credit={credit}
              />
            ))}
          </AccountSection>
        )}
        <AccountSection
          id="bought"
          title={texts.bought}
          hint={texts.boughtHint}
        >
          {receipts.length === 0 && <p className="soft">{texts.nothingBought}</p>}
          {receipts.map((receipt) => (
            <article
              key={receipt.key}
              className={`ruled ${css.receipt}`}
            >
              <h3 className={css.date}>{formatDate(receipt.at, timeZone)}</h3>
              <p className="soft small">
                {texts.papers(
                  receipt.receiptTag,
                  receipt.number === null ? null : invoiceNumber(receipt.number),
                )}
              </p>
              <ul
                className={`stack ${css.list}`}
                role="list"
              >
                {receipt.items.map((item, at) => (
                  <Piece
                    key={at}
                    piece={item}
                    cents={item.salePrice}
                    original={
                      item.price !== null && item.price > item.salePrice ? item.price : null
                    }
                  >
                    {item.isCanceled ? texts.canceled : item.step && queueTexts.steps[item.step]}
                  </Piece>
                ))}
              </ul>
              {receipt.items.some(({ isCanceled }) => !isCanceled) && (
                <dl className={css.sums}>
                  {(receipt.number !== null || receipt.shipping > 0) && (
                    <Sum
                      name={texts.shipping}
                      amount={
                        receipt.shipping === 0
                          ? texts.free
                          : formatMoney(receipt.shipping, currency)
                      }
                    />
                  )}
                  <Sum
                    name={texts.total}
                    amount={formatMoney(receipt.total, currency)}
                    isTotal
                  />
                  {receipt.payments.map((payment, at) => (
                    <Sum
                      key={at}
                      {...payment}
                    />
                  ))}
                </dl>
              )}
            </article>
          ))}
        </AccountSection>
      </div>
    </main>
  )
}

/** Shows an accepted offer with its total, what the customer has to pay, and the step of each piece. The customer enters her address in the conversation. [AGREE-110] */
function AgreementCard({
  at,
  orderId,
  offer,
  pieces,
  timeZone,
}: OwnOrders['agreements'][number] & { timeZone: string }) {
  const currency = useCurrency()
  const { lines, readyBy, steps, isShipped, parcel } = offer
  return (
    <article className={`ruled stack slim ${css.receipt}`}>
      <h3 className={css.date}>{texts.acceptedOn(formatDate(at, timeZone))}</h3>
      {readyBy && <p className="soft small flush">{offerTexts.readyBy(formatIsoDay(readyBy))}</p>}
      <ul
        className={`stack ${css.list}`}
        role="list"
      >
        {pieces.map((piece, index) => {
          const { quantity, cents } = lines[index]!
          const step = steps?.[index + 1]
          return (
            <Piece
              key={index}
              piece={
                quantity > 1
                  ? { ...piece, name: `${offerTexts.quantity(quantity)} ${piece.name}` }
                  : piece
              }
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
            amount={formatMoney(cents, currency)}
            isTotal={isTotal}
          />
        ))}
      </dl>
      <OfferPaymentPart
        offer={offer}
        orderId={orderId}
        isOwner={false}
        isOpen={false}
      />
      {isShipped && parcelState(parcel) === 'no-address' && (
        <p className="flush">{texts.addressMissing}</p>
      )}
      {parcel && (
        <ParcelFacts
          parcel={parcel}
          timeZone={timeZone}
        />
      )}
    </article>
  )
}

const Sum = ({
  name,
  amount,
  isTotal = false,
}: {
  name: string
  amount: string
  isTotal?: boolean
}) => (
  <div className={`row apart tabular ${isTotal ? 'strong' : 'soft small'}`}>
    <dt>{name}</dt>
    <dd className="unbroken">{amount}</dd>
  </div>
)

type PieceProps = {
  piece: {
    id: string
    name: string
    color?: string
    picture: PictureView | null
    isInShop: boolean
  }
  cents: Cents
  original?: Cents | null
  children?: string | undefined
}

const Piece = ({
  piece: { id, name, color, picture, isInShop },
  cents,
  original = null,
  children,
}: PieceProps) => {
  const currency = useCurrency()
  return (
    <li className="row">
      <Thumbnail picture={picture} />
      <span className={`column slim ${css.facts}`}>
        {isInShop ? (
          <Link
            className="tap strong same-color"
            to={href('/item/:itemid', { itemid: id })}
          >
            {name}
          </Link>
        ) : (
          <strong>{name}</strong>
        )}
        {color && <span className="small">{color}</span>}
        {children && <span className="soft small">{children}</span>}
      </span>
      <span className={`strong tabular ${css.price}`}>
        {original !== null && (
          <s className="soft small">
            <span className="visually-hidden">{texts.original}</span>
            {formatMoney(original, currency)}
          </s>
        )}{' '}
        {formatMoney(cents, currency)}
      </span>
    </li>
  )
}
