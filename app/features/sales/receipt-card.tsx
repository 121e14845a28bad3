/** One receipt in the list: who bought what, for how much, and when. The whole card opens the print overlay. */
import { Link } from 'react-router'
import { Printer } from 'lucide-react'
import { formatMoney } from '#app/features/money/money.ts'
import { photoOf } from '#app/features/profile/shown-photo.ts'
import { formatDate } from '#app/ui/dates.ts'
import { shownName, struckPrice, type Receipt } from './receipt.ts'
import css from './receipt-card.module.css'

/** The page's way to give the focus back when the overlay closes. */
export const receiptCardId = (key: string): string => `receipt-${key}`

export function ReceiptCard({ receipt, search, timeZone }: { receipt: Receipt; search: string; timeZone: string }) {
  return (
    <Link id={receiptCardId(receipt.key)} className={css.card} to={search} state={{ fromList: true }} preventScrollReset>
      <span className={css.head}>
        <img className={css.photo} src={photoOf(receipt.buyerPhotoURL)} alt="" width="44" height="44" loading="lazy" />
        <span className={css.who}>
          <strong>{shownName(receipt)}</strong>
          <span className={css.date}>{formatDate(receipt.createdAt, timeZone)}</span>
        </span>
        <Printer className={css.icon} size={20} aria-hidden />
      </span>
      <span className={css.items}>
        {receipt.items.map((item, at) => (
          <span className={css.item} key={at}>
            <span className={css.name}>{item.name}</span> <ItemPrice item={item} />
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
    <span className={`${css.price} tabular`}>
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
