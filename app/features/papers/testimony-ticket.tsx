/** SALES-53 to SALES-58: $5 OFF the next purchase for a testimony, with the way to where it is written. */
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { QrCode } from '#app/ui/qr-code.tsx'
import { CordLine } from '#app/ui/cord-line.tsx'
import type { Ticket } from './open-receipt.server.ts'
import { ticketWords } from './paper-words.ts'
import css from './paper.module.css'

/** `ticket`: null until it is made, which printing does. */
export function TestimonyTicket({ ticket, settings }: { ticket: Ticket | null; settings: ShopSettings }) {
  return (
    <article className={`${css.paper} ${css.card}`} aria-label="Testimony Ticket">
      <div className={css.ticket}>
        <p className={css.shop}>{settings.name}</p>
        <CordLine className={css.cord} />
        <h3 className={css.offer}>{ticketWords.offer}</h3>
        <p className={css.offerFor}>{ticketWords.offerFor}</p>
        {ticket ? (
          <>
            <QrCode className={css.qr} drawing={ticket.qr} width={300} label={ticketWords.qr} />
            <p className={css.how}>{ticketWords.how}</p>
            <a className={css.link} href={ticket.link}>
              {ticket.link}
            </a>
          </>
        ) : (
          <p className={css.noQr}>{ticketWords.unmade}</p>
        )}
      </div>
    </article>
  )
}
