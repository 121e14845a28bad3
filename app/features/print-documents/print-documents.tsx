/** Renders invoice, thank-you card and testimony ticket as HTML, for the screen and for printing. */
import { rewardText } from '#app/features/testimonials/testimony.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { CordDrawing } from '#app/ui/cord-drawing.tsx'
import { QrCode } from '#app/ui/qr-code.tsx'
import {
  invoiceContent,
  shopLines,
  type InvoiceFacts,
  type PrintDocument,
} from './print-document.ts'
import type { PrintData, TestimonyTicket } from './print-documents.server.ts'
import { cardTexts, invoiceTexts as texts, ticketPaperTexts } from './texts.ts'
import css from './print-documents.module.css'

type Props = {
  open: PrintData
  chosen: readonly PrintDocument[]
  shipping: number
  settings: ShopSettings
}

export function PrintDocuments({ open, chosen, shipping, settings }: Props) {
  const { receipt, ticket, billTo, invoice, canceled, issued, today, payments, currency } = open
  const numbers = { number: invoice?.number ?? null, cancels: canceled?.number ?? null, shipping }
  const facts = { receipt, billTo, ...numbers, issuedOn: issued, today, payments, currency }
  return (
    <>
      {chosen.includes('Invoice') && (
        <Invoice
          {...facts}
          settings={{ ...settings, ...invoice?.seller }}
        />
      )}
      {chosen.includes('Thank you card') && (
        <ThankYouCard
          salutation={cardTexts.salutation(receipt)}
          settings={settings}
        />
      )}
      {chosen.includes('Testimony Ticket') && (
        <TestimonyTicket
          ticket={ticket}
          settings={settings}
          reward={rewardText(currency)}
        />
      )}
    </>
  )
}

export function Invoice({ settings, ...facts }: InvoiceFacts & { settings: ShopSettings }) {
  const words = invoiceContent(facts)
  return (
    <article
      className={`${css.paper} ${css.invoice}`}
      aria-label={texts.name}
    >
      <header className={`wrap apart ${css.row}`}>
        <div>
          <p className={css.shop}>{settings.name}</p>
          {shopLines(settings).map((line, at) => (
            <p
              className="soft"
              key={at}
            >
              {line}
            </p>
          ))}
        </div>
        <h3 className={css.title}>{words.title}</h3>
      </header>
      <CordDrawing className={`wide ${css.cord}`} />
      <div className={`wrap apart ${css.row} ${css.facts}`}>
        <div className={`slim ${css.to}`}>
          <p className={`soft strong ${css.label}`}>{texts.billTo}</p>
          <p className={css.billTo}>{words.billTo.name}</p>
          {words.billTo.address && <p className={css.address}>{words.billTo.address}</p>}
          {words.billTo.email && <p>{words.billTo.email}</p>}
        </div>
        <dl className={css.dates}>
          {[...words.facts, [texts.paymentTotal, words.total] as const].map(([label, value]) => (
            <div
              className={`apart ${css.fact}`}
              key={label}
            >
              <dt className={`soft strong ${css.label}`}>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <table className={`wide tabular ${css.lines}`}>
        <thead>
          <tr className={`soft strong ${css.label}`}>
            <th scope="col">{texts.item}</th>
            <th scope="col">{texts.price}</th>
            <th scope="col">{texts.amount}</th>
          </tr>
        </thead>
        <tbody>
          {words.lines.map((line, at) => (
            <tr key={at}>
              <th scope="row">{line.name}</th>
              <td>{line.price}</td>
              <td>{line.amount}</td>
            </tr>
          ))}
        </tbody>
        <tbody className={css.sums}>
          {words.shipping !== null && (
            <tr>
              <th
                scope="row"
                colSpan={2}
              >
                {texts.shipping}
              </th>
              <td>{words.shipping}</td>
            </tr>
          )}
          <tr className={css.total}>
            <th
              scope="row"
              colSpan={2}
            >
              {texts.total}
            </th>
            <td>{words.total}</td>
          </tr>
          {words.payments.map(({ name, amount }, at) => (
            <tr key={at}>
              <th
                scope="row"
                colSpan={2}
              >
                {name}
              </th>
              <td>{amount}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer className={`wrap apart ${css.row} soft ${css.foot}`}>
        <p>{settings.invoiceFooter}</p>
        <p>{[settings.email, settings.phone].filter(Boolean).join(' · ')}</p>
      </footer>
    </article>
  )
}

function ThankYouCard({ salutation, settings }: { salutation: string; settings: ShopSettings }) {
  return (
    <article
      className={`${css.paper} ${css.card}`}
      aria-label={cardTexts.name}
    >
      <div className={css.thankYou}>
        <p className={css.shop}>{settings.name}</p>
        <CordDrawing className={`wide ${css.cord}`} />
        <h3 className={css.salutation}>{salutation}</h3>
        <p className={css.words}>{settings.thankYouLetter}</p>
        <p className={css.closing}>{cardTexts.closing}</p>
        <p className={css.signature}>{settings.ownerName}</p>
        <p className="soft">{[settings.name, settings.city].filter(Boolean).join(', ')}</p>
      </div>
    </article>
  )
}

/** Shows the link with which the buyer writes a testimony, and the discount for a testimony. `ticket` is null until the first print creates the ticket. [SALES-53 to SALES-58] */
function TestimonyTicket({
  ticket,
  settings,
  reward,
}: {
  ticket: TestimonyTicket | null
  settings: ShopSettings
  reward: string
}) {
  return (
    <article
      className={`${css.paper} ${css.card}`}
      aria-label={ticketPaperTexts.name}
    >
      <div className={`centered-text ${css.ticket}`}>
        <p className={css.shop}>{settings.name}</p>
        <CordDrawing className={`wide ${css.cord}`} />
        <h3 className={css.offer}>{ticketPaperTexts.offer(reward)}</h3>
        <p className={css.offerFor}>{ticketPaperTexts.offerFor}</p>
        {ticket ? (
          <>
            <QrCode
              className={css.qr}
              drawing={ticket.qr}
              width={300}
              label={ticketPaperTexts.qr}
            />
            <p className="soft">{ticketPaperTexts.how}</p>
            <a href={ticket.link}>{ticket.link}</a>
          </>
        ) : (
          <p className={`${css.qr} ${css.noQr}`}>{ticketPaperTexts.unmade}</p>
        )}
      </div>
    </article>
  )
}
