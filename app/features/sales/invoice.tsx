/** SALES-41 to SALES-51: the invoice. Price is the original, amount the sale price; the totals include shipping (S-112). */
import { formatMoney, type Cents } from '#app/features/money/money.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { CordLine } from '#app/ui/cord-line.tsx'
import { shownName, totalOf, type Receipt } from './receipt.ts'
import css from './paper.module.css'

export function Invoice({
  receipt,
  shipping,
  today,
  settings,
}: {
  receipt: Receipt
  shipping: Cents
  today: string
  settings: ShopSettings
}) {
  const total = formatMoney(totalOf([receipt]) + shipping)
  return (
    <article className={css.paper} aria-label="Invoice">
      <header className={css.letterhead}>
        <div>
          <p className={css.shop}>{settings.name}</p>
          <p className={css.city}>{settings.city}</p>
        </div>
        <h3 className={css.title}>INVOICE</h3>
      </header>
      <CordLine className={css.cord} />
      <div className={css.facts}>
        <div>
          <p className={css.label}>Bill to</p>
          <p className={css.billTo}>{shownName(receipt)}</p>
          {receipt.buyerEmail && <p>{receipt.buyerEmail}</p>}
        </div>
        <dl className={css.dates}>
          <dt className={css.label}>Date</dt>
          <dd>{today}</dd>
          {receipt.receiptTag && (
            <>
              <dt className={css.label}>Receipt</dt>
              <dd>{receipt.receiptTag}</dd>
            </>
          )}
          <dt className={css.label}>Payment total</dt>
          <dd className={css.paymentTotal}>{total}</dd>
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
          {receipt.items.map((item, at) => (
            <tr key={at}>
              <th scope="row">{item.name}</th>
              <td>{item.price === null ? '—' : formatMoney(item.price)}</td>
              <td>{formatMoney(item.salePrice)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" colSpan={2}>
              Shipping
            </th>
            <td>{shipping === 0 ? 'FREE' : formatMoney(shipping)}</td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Total
            </th>
            <td>{total}</td>
          </tr>
        </tfoot>
      </table>
      <footer className={css.foot}>
        <p>Made by hand, knot by knot.</p>
        <p>
          {settings.email} · {settings.phone}
        </p>
      </footer>
    </article>
  )
}
