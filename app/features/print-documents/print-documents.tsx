import type { ReactNode } from 'react'
import { rewardText } from '#testimonials/testimony.ts'
import type { ShopSettings } from '#settings/shop-settings.ts'
import { CordDrawing } from '#ui/cord-drawing.tsx'
import { QrCode } from '#ui/qr-code.tsx'
import { invoiceContent, shopLines, type PrintDocument } from './print-document.ts'
import type { PrintData } from './print-documents.server.ts'
import { cardTexts, invoiceTexts as texts, ticketPaperTexts } from './texts.ts'
import css from './print-documents.module.css'

type PrintDocumentsProps = {
  open: PrintData
  chosen: readonly PrintDocument[]
  shipping: number
  settings: ShopSettings
}

export function PrintDocuments({ open, chosen, shipping, settings }: PrintDocumentsProps) {
  const { receipt, ticket, invoice, currency } = open
  return (
    <>
      {chosen.includes('Invoice') && (
        <Invoice
          words={invoiceContent({ ...open, shipping })}
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

type InvoiceWords = ReturnType<typeof invoiceContent>

function Invoice({ words, settings }: { words: InvoiceWords; settings: ShopSettings }) {
  return (
    <article
      className={`${css.paper} ${css.invoice}`}
      aria-label={texts.name}
    >
      <header className={`flex flex-wrap gap-3 justify-between ${css.row}`}>
        <div>
          <p className={css.shop}>{settings.name}</p>
          {shopLines(settings).map((line, index) => (
            <p
              className="text-soft"
              key={index}
            >
              {line}
            </p>
          ))}
        </div>
        <h3 className={css.title}>{words.title}</h3>
      </header>
      <CordDrawing className={`w-full ${css.cord}`} />
      <div className={`flex flex-wrap gap-3 justify-between ${css.row} ${css.facts}`}>
        <div className={`min-w-0 ${css.to}`}>
          <p className={`text-soft font-semibold ${css.label}`}>{texts.billTo}</p>
          <p className={css.billTo}>{words.billTo.name}</p>
          {words.billTo.address && <p className={css.address}>{words.billTo.address}</p>}
          {words.billTo.email && <p>{words.billTo.email}</p>}
        </div>
        <dl className={css.dates}>
          {[...words.facts, [texts.paymentTotal, words.total] as const].map(([label, value]) => (
            <div
              className={`justify-between ${css.fact}`}
              key={label}
            >
              <dt className={`text-soft font-semibold ${css.label}`}>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <InvoiceTable words={words} />
      <footer className={`flex flex-wrap gap-3 justify-between ${css.row} text-soft ${css.foot}`}>
        <p>{settings.invoiceFooter}</p>
        <p>{[settings.email, settings.phone].filter(Boolean).join(' · ')}</p>
      </footer>
    </article>
  )
}

const InvoiceTable = ({ words }: { words: InvoiceWords }) => (
  <table className={`w-full tabular-nums ${css.lines}`}>
    <thead>
      <tr className={`text-soft font-semibold ${css.label}`}>
        <th scope="col">{texts.item}</th>
        <th scope="col">{texts.price}</th>
        <th scope="col">{texts.amount}</th>
      </tr>
    </thead>
    <tbody>
      {words.lines.map((line, index) => (
        <tr key={index}>
          <th scope="row">{line.name}</th>
          <td>{line.price}</td>
          <td>{line.amount}</td>
        </tr>
      ))}
    </tbody>
    <tbody className={css.sums}>
      {words.shipping !== null && (
        <SumRow
          name={texts.shipping}
          amount={words.shipping}
        />
      )}
      <SumRow
        className={css.total}
        name={texts.total}
        amount={words.total}
      />
      {words.payments.map((row, index) => (
        <SumRow
          key={index}
          {...row}
        />
      ))}
    </tbody>
  </table>
)

const SumRow = (row: { className?: string; name: string; amount: string }) => (
  <tr className={row.className}>
    <th
      scope="row"
      colSpan={2}
    >
      {row.name}
    </th>
    <td>{row.amount}</td>
  </tr>
)

type CardProps = { label: string; className: string | undefined; shop: string; children: ReactNode }

const Card = ({ label, className, shop, children }: CardProps) => (
  <article
    className={`${css.paper} ${css.card}`}
    aria-label={label}
  >
    <div className={className}>
      <p className={css.shop}>{shop}</p>
      <CordDrawing className={`w-full ${css.cord}`} />
      {children}
    </div>
  </article>
)

const ThankYouCard = ({ salutation, settings }: { salutation: string; settings: ShopSettings }) => (
  <Card
    label={cardTexts.name}
    className={css.thankYou}
    shop={settings.name}
  >
    <h3 className={css.salutation}>{salutation}</h3>
    <p className={css.words}>{settings.thankYouLetter}</p>
    <p className={css.closing}>{cardTexts.closing}</p>
    <p className={css.signature}>{settings.ownerName}</p>
    <p className="text-soft">{[settings.name, settings.city].filter(Boolean).join(', ')}</p>
  </Card>
)

type TestimonyTicketProps = {
  ticket: PrintData['ticket']
  settings: ShopSettings
  reward: string
}

const TestimonyTicket = ({ ticket, settings, reward }: TestimonyTicketProps) => (
  <Card
    label={ticketPaperTexts.name}
    className={`text-center ${css.ticket}`}
    shop={settings.name}
  >
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
        <p className="text-soft">{ticketPaperTexts.how}</p>
        <a href={ticket.link}>{ticket.link}</a>
      </>
    ) : (
      <p className={`${css.qr} ${css.noQr}`}>{ticketPaperTexts.unmade}</p>
    )}
  </Card>
)
