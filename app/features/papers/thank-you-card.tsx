/** SALES-52, S-117: a letter to the buyer, in the owner's own words. */
import type { Receipt } from '#app/features/sales/receipt.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { CordLine } from '#app/ui/cord-line.tsx'
import { cardWords } from './paper-words.ts'
import css from './paper.module.css'

export function ThankYouCard({ receipt, settings }: { receipt: Receipt; settings: ShopSettings }) {
  return (
    <article className={`${css.paper} ${css.card}`} aria-label="Thank you card">
      <div className={css.letter}>
        <p className={css.shop}>{settings.name}</p>
        <CordLine className={css.cord} />
        <h3 className={css.salutation}>{cardWords.salutation(receipt)}</h3>
        <p className={css.words}>{settings.thankYouLetter}</p>
        <p className={css.closing}>{cardWords.closing}</p>
        <p className={css.signature}>{settings.ownerName}</p>
        <p className={css.city}>
          {settings.name}, {settings.city}
        </p>
      </div>
    </article>
  )
}
