import type { ReactNode } from 'react'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import type { Offer } from '#app/features/orders/order.ts'
import type { WayToPay } from '#app/features/orders/offer-payment.ts'
import { lazyComponent } from '#app/ui/lazy-component.tsx'
import { QrCode } from '#app/ui/qr-code.tsx'
import { paidText, paymentTexts as texts } from './texts.ts'
import css from './payment-card.module.css'

// Loaded only by the owner's browser, because customers have no such form.
const PaymentForm = lazyComponent(() =>
  import('./payment-form.tsx').then((module) => module.PaymentForm),
)

type Props = { offer: Offer; orderId: string; isOwner: boolean; isOpen: boolean }

/** Shows what the customer has paid of an accepted offer, and how she pays the rest. For an open offer, it shows only the deposit. For a canceled offer, it shows the payments and what the owner has not returned yet. [AGREE-42, AGREE-43, AGREE-44, AGREE-125] */
export function OfferPaymentPart({ offer, orderId, isOwner, isOpen }: Props) {
  const currency = useCurrency()
  const { payment, depositCents } = offer
  if (isOpen && depositCents > 0)
    return (
      <Row
        look="small"
        name={isOwner ? texts.deposit : texts.depositOnAccept}
        value={formatMoney(depositCents, currency)}
      />
    )
  if (!payment) return null
  const { state, payments, toReturnCents, due, reference } = payment
  return (
    <section
      className={`stack slim ${css.payment}`}
      aria-label={texts.title}
    >
      {state === 'paid' && payments.length !== 1 && (
        <p className="strong flush">{payments.length > 0 ? texts.paid : texts.nothing}</p>
      )}
      {payments.map((one, at) => (
        <Row
          key={at}
          name={paidText(one)}
          value={formatMoney(one.cents, currency)}
        />
      ))}
      {toReturnCents > 0 && !isOwner && (
        <Row
          name={offer.state === 'canceled' ? texts.notReturned : texts.overpaid}
          value={formatMoney(toReturnCents, currency)}
        />
      )}
      {due && (
        <>
          <Row
            look="strong"
            name={texts.due[due.kind]}
            value={formatMoney(due.cents, currency)}
          />
          {due.rest > 0 && (
            <p className="small flush">{texts.rest(formatMoney(due.rest, currency))}</p>
          )}
          <Row
            name={texts.reference}
            value={<strong>{reference}</strong>}
          />
          {due.ways.length > 0 &&
            (isOwner ? (
              <details className="fold arrow">
                <summary>{texts.allWays}</summary>
                <Ways ways={due.ways} />
              </details>
            ) : (
              <>
                <p className="small flush">{texts.referenceHint}</p>
                <Ways ways={due.ways} />
              </>
            ))}
        </>
      )}
      {isOwner && (
        <PaymentForm
          offer={offer}
          orderId={orderId}
        />
      )}
    </section>
  )
}

const Row = ({
  look = '',
  name,
  value,
}: {
  look?: 'small' | 'strong' | ''
  name: string
  value: ReactNode
}) => (
  <p className={`row apart tabular flush ${look}`}>
    <span>{name}</span>
    <span className="unbroken">{value}</span>
  </p>
)

const Ways = ({ ways }: { ways: readonly WayToPay[] }) => (
  <ul
    role="list"
    className={`bare-list stack ${css.ways}`}
  >
    {ways.map((way) => (
      <Way
        key={way.way}
        {...way}
      />
    ))}
  </ul>
)

function Way({ way, href, facts, text, qr }: WayToPay) {
  const name = texts.ways[way]
  return (
    <li>
      {href ? (
        <a
          className="button quiet"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
        >
          {name}
        </a>
      ) : (
        <p className="strong flush">{name}</p>
      )}
      {text && <p className={`flush ${css.text}`}>{text}</p>}
      {facts && (
        <dl className={css.facts}>
          {facts.map(([fact, value]) => (
            <div key={fact}>
              <dt className="small">{texts.facts[fact]}</dt>
              <dd className="tabular">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {qr && (
        <details className="fold arrow">
          <summary className="small">{texts.qr}</summary>
          <QrCode
            className={css.qr}
            drawing={qr}
            width={220}
            label={texts.qrOf(name)}
          />
        </details>
      )}
    </li>
  )
}
