/** One receipt in the list: who bought what, for how much, and when. The whole card opens the print overlay. */
import { Link } from 'react-router'
import { formatMoney } from '#app/features/pricing/money.ts'
import { photoOf } from '#app/ui/profile-photo.ts'
import { formatDate } from '#app/ui/dates.ts'
import { Printer } from '#app/ui/icons.tsx'
import { shownName, struckPrice, type Receipt } from './receipt.ts'
import css from './receipt-card.module.css'

/** The page's way to give the focus back when the overlay closes. */
export const receiptCardId = (key: string): string => `receipt-${key}`

export function ReceiptCard({ receipt, search, timeZone }: { receipt: Receipt; search: string; timeZone: string }) {
  return (
    <Link
      id={receiptCardId(receipt.key)}
      className={`card stack same-color undecorated ${css.card}`}
      to={search}
      state={{ fromList: true }}
      preventScrollReset
    >
      <span className="row">
        <img
          className={`rigid raised round ${css.photo}`}
          src={photoOf(receipt.buyerPhotoURL)}
          alt=""
          width="44"
          height="44"
          loading="lazy"
        />
        <span className={css.who}>
          <strong>{shownName(receipt)}</strong>
          <span className="soft small">{formatDate(receipt.createdAt, timeZone)}</span>
        </span>
        <Printer className={`soft rigid ${css.icon}`} size={20} aria-hidden />
      </span>
      <span className={`stack ${css.items}`}>
        {receipt.items.map((item, at) => (
          <span className={`wrap ${css.item}`} key={at}>
            <span className={`slim ${css.name}`}>{item.name}</span> <ItemPrice item={item} />
          </span>
        ))}
      </span>
      <span className="unseen">Print</span>
    </Link>
  )
}

/** SALES-19 to SALES-21 */
function ItemPrice({ item }: { item: Receipt['items'][number] }) {
  const struck = struckPrice(item)
  return (
    <span className={`strong rigid ${css.price} tabular`}>
      {struck !== null && (
        <>
          <s>
            <span className="unseen">Original price: </span>
            {formatMoney(struck)}
          </s>{' '}
          <span className="unseen">Sold for: </span>
        </>
      )}
      {formatMoney(item.salePrice)}
    </span>
  )
}
