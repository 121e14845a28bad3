/** SALES-41 to SALES-51: the invoice. */
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { CordLine } from '#app/ui/cord-line.tsx'
import { invoiceFoot, invoiceWords, type InvoiceFacts } from './paper-words.ts'
import css from './paper.module.css'

export function Invoice({ settings, ...facts }: InvoiceFacts & { settings: ShopSettings }) {
  const words = invoiceWords(facts)
  return (
    <article className={`${css.paper} ${css.invoice}`} aria-label="Invoice">
      <header className={css.letterhead}>
        <div>
          <p className={css.shop}>{settings.name}</p>
          <p className={css.city}>{settings.city}</p>
        </div>
        <h3 className={css.title}>INVOICE</h3>
      </header>
      <CordLine className={css.cord} />
      <div className={css.facts}>
        <div className={css.to}>
          <p className={css.label}>Bill to</p>
          <p className={css.billTo}>{words.billTo.name}</p>
          {words.billTo.email && <p className={css.email}>{words.billTo.email}</p>}
        </div>
        <dl className={css.dates}>
          {words.facts.map(([label, value]) => (
            <div className={css.fact} key={label}>
              <dt className={css.label}>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          <div className={css.fact}>
            <dt className={css.label}>Payment total</dt>
            <dd className={css.paymentTotal}>{words.total}</dd>
          </div>
        </dl>
      </div>
      <table className={css.lines}>
        <thead>
          <tr>
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
      <footer className={css.foot}>
        <p>{invoiceFoot}</p>
        <p>
          {settings.email} · {settings.phone}
        </p>
      </footer>
    </article>
  )
}
