/** What goes into the parcel: invoice, thank-you card and testimony ticket, the same on screen and on paper. The PDF file has them in `papers-pdf.server.tsx`. */
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { CordLine } from '#app/ui/cord-line.tsx'
import { QrCode } from '#app/ui/qr-code.tsx'
import { cardWords, invoiceFoot, invoiceWords, ticketWords, type InvoiceFacts, type Paper } from './paper.ts'
import type { OpenReceipt, Ticket } from './papers.server.ts'
import css from './paper.module.css'

type Props = { open: OpenReceipt; chosen: readonly Paper[]; shipping: number; settings: ShopSettings }

export function Papers({ open: { receipt, ticket, invoice, issued, today }, chosen, shipping, settings }: Props) {
  const facts = { receipt, number: invoice?.number ?? null, issued, today, shipping }
  return (
    <>
      {chosen.includes('Invoice') && <Invoice {...facts} settings={settings} />}
      {chosen.includes('Thank you card') && <ThankYouCard salutation={cardWords.salutation(receipt)} settings={settings} />}
      {chosen.includes('Testimony Ticket') && <TestimonyTicket ticket={ticket} settings={settings} />}
    </>
  )
}

/** SALES-41 to SALES-51 */
export function Invoice({ settings, ...facts }: InvoiceFacts & { settings: ShopSettings }) {
  const words = invoiceWords(facts)
  return (
    <article className={`${css.paper} ${css.invoice}`} aria-label="Invoice">
      <header className={`wrap apart ${css.row}`}>
        <div>
          <p className={css.shop}>{settings.name}</p>
          <p className="soft">{settings.city}</p>
        </div>
        <h3 className={css.title}>INVOICE</h3>
      </header>
      <CordLine className={`wide ${css.cord}`} />
      <div className={`wrap apart ${css.row} ${css.facts}`}>
        <div className={`slim ${css.to}`}>
          <p className={`soft strong ${css.label}`}>Bill to</p>
          <p className={css.billTo}>{words.billTo.name}</p>
          {words.billTo.email && <p>{words.billTo.email}</p>}
        </div>
        <dl className={css.dates}>
          {[...words.facts, ['Payment total', words.total] as const].map(([label, value]) => (
            <div className={`apart ${css.fact}`} key={label}>
              <dt className={`soft strong ${css.label}`}>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <table className={`wide tabular ${css.lines}`}>
        <thead>
          <tr className={`soft strong ${css.label}`}>
            <th scope="col">Item</th>
            <th scope="col">Price</th>
            <th scope="col">Amount</th>
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
          <tr>
            <th scope="row" colSpan={2}>
              Shipping
            </th>
            <td>{words.shipping}</td>
          </tr>
          <tr className={css.total}>
            <th scope="row" colSpan={2}>
              Total
            </th>
            <td>{words.total}</td>
          </tr>
        </tbody>
      </table>
      <footer className={`wrap apart ${css.row} soft ${css.foot}`}>
        <p>{invoiceFoot}</p>
        <p>
          {settings.email} · {settings.phone}
        </p>
      </footer>
    </article>
  )
}

/** SALES-52, S-117: a letter to the buyer, in the owner's own words. */
function ThankYouCard({ salutation, settings }: { salutation: string; settings: ShopSettings }) {
  return (
    <article className={`${css.paper} ${css.card}`} aria-label="Thank you card">
      <div className={css.letter}>
        <p className={css.shop}>{settings.name}</p>
        <CordLine className={`wide ${css.cord}`} />
        <h3 className={css.salutation}>{salutation}</h3>
        <p className={css.words}>{settings.thankYouLetter}</p>
        <p className={css.closing}>{cardWords.closing}</p>
        <p className={css.signature}>{settings.ownerName}</p>
        <p className="soft">
          {settings.name}, {settings.city}
        </p>
      </div>
    </article>
  )
}

/** SALES-53 to SALES-58: $5 OFF the next purchase for a testimony. `ticket`: null until it is made, which printing does. */
function TestimonyTicket({ ticket, settings }: { ticket: Ticket | null; settings: ShopSettings }) {
  return (
    <article className={`${css.paper} ${css.card}`} aria-label="Testimony Ticket">
      <div className={`centered-text ${css.ticket}`}>
        <p className={css.shop}>{settings.name}</p>
        <CordLine className={`wide ${css.cord}`} />
        <h3 className={css.offer}>{ticketWords.offer}</h3>
        <p className={css.offerFor}>{ticketWords.offerFor}</p>
        {ticket ? (
          <>
            <QrCode className={css.qr} drawing={ticket.qr} width={300} label={ticketWords.qr} />
            <p className="soft">{ticketWords.how}</p>
            <a href={ticket.link}>{ticket.link}</a>
          </>
        ) : (
          <p className={`${css.qr} ${css.noQr}`}>{ticketWords.unmade}</p>
        )}
      </div>
    </article>
  )
}
