import type { ReactNode } from 'react'
import { decimalAmount } from '#pricing/money.ts'
import { useMoney } from '#pricing/use-money.ts'
import type { Offer, WayToPay } from '#conversation/agreement.ts'
import { lazyComponent } from '#ui/lazy-component.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { QrCode } from '#ui/qr-code.tsx'
import { paidText, paymentTexts as texts } from './texts.ts'
import css from './payment-card.module.css'

const PaymentForm = lazyComponent(() =>
  import('./payment-form.tsx').then((module) => module.PaymentForm),
)

type OfferPaymentPartProps = {
  id?: string
  offer: Offer
  orderId: string
  isOwner: boolean
  isOpen: boolean
}

export function OfferPaymentPart({ id, offer, orderId, isOwner, isOpen }: OfferPaymentPartProps) {
  const money = useMoney()
  const { payment, depositCents } = offer
  if (isOpen && depositCents > 0) {
    return (
      <Row
        look="text-sm"
        name={isOwner ? texts.deposit : texts.depositOnAccept}
        value={money(depositCents)}
      />
    )
  }
  if (!payment) return null
  const { state, payments, toReturnCents, due, reference } = payment
  return (
    <section
      id={id}
      tabIndex={-1}
      className={`grid gap-4 min-w-0 ${css.payment}`}
      aria-label={texts.title}
    >
      {state === 'paid' && payments.length !== 1 && (
        <p className="font-semibold m-0">{payments.length > 0 ? texts.paid : texts.nothing}</p>
      )}
      {payments.map((item, index) => (
        <Row
          key={index}
          name={paidText(item)}
          value={money(item.cents)}
        />
      ))}
      {toReturnCents > 0 && !isOwner && (
        <Row
          name={offer.state === 'canceled' ? texts.notReturned : texts.overpaid}
          value={money(toReturnCents)}
        />
      )}
      {due && (
        <>
          <Row
            look="font-semibold"
            name={texts.due[due.kind]}
            value={money(due.cents)}
            copied={isOwner ? undefined : decimalAmount(due.cents)}
          />
          {due.rest > 0 && <p className="text-sm m-0">{texts.rest(money(due.rest))}</p>}
          <Row
            name={texts.reference}
            value={<strong>{reference}</strong>}
            copied={isOwner ? undefined : reference}
          />
          {due.ways.length > 0 &&
            (isOwner ? (
              <details className="fold arrow">
                <summary>{texts.allWays}</summary>
                <Ways ways={due.ways} />
              </details>
            ) : (
              <>
                <p className="text-sm m-0">{texts.referenceHint}</p>
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

type RowProps = {
  look?: 'text-sm' | 'font-semibold' | ''
  name: string
  value: ReactNode
  copied?: string | undefined
}

const Row = ({ look = '', name, value, copied }: RowProps) => (
  <p className={`flex items-center gap-3 justify-between tabular-nums m-0 ${look}`}>
    <span>{name}</span>
    <span className="row whitespace-nowrap">
      {value}
      {copied && (
        <CopyButton
          name={name}
          text={copied}
        />
      )}
    </span>
  </p>
)

const Ways = ({ ways }: { ways: readonly WayToPay[] }) => (
  <ul
    role="list"
    className={`list-none grid gap-4 ${css.ways}`}
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
        <p className="font-semibold m-0">{name}</p>
      )}
      {text && <p className={`m-0 ${css.text}`}>{text}</p>}
      {facts && (
        <dl className={css.facts}>
          {facts.map(([fact, value]) => (
            <div key={fact}>
              <dt className="text-sm">{texts.facts[fact]}</dt>
              <dd className="row tabular-nums">
                <span>{value}</span>
                <CopyButton
                  name={texts.facts[fact]}
                  text={value}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {qr && (
        <details className="fold arrow">
          <summary className="text-sm">{texts.qr}</summary>
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
