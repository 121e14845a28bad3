/** SALES-53 to SALES-58: $5 OFF the next purchase for a testimony, with the way to where it is written. */
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { CordLine } from './cord-line.tsx'
import type { Ticket } from './sales-page.server.ts'
import css from './paper.module.css'

/** `ticket`: null until it is made, which printing does. */
export function TestimonyTicket({ ticket, settings }: { ticket: Ticket | null; settings: ShopSettings }) {
  return (
    <article className={`${css.paper} ${css.card}`} aria-label="Testimony Ticket">
      <div className={css.ticket}>
        <p className={css.shop}>{settings.name}</p>
        <CordLine className={css.cord} />
        <h3 className={css.offer}>$5 OFF</h3>
        <p className={css.offerFor}>your next purchase for writing a testimony</p>
        {ticket ? (
          <>
            <svg
              className={css.qr}
              viewBox={`0 0 ${ticket.qr.size} ${ticket.qr.size}`}
              width="300"
              height="300"
              role="img"
              aria-label="QR code to the testimony page"
              shapeRendering="crispEdges"
            >
              <path fill="#fff" d={`M0 0h${ticket.qr.size}v${ticket.qr.size}H0z`} />
              <path fill="#000" d={ticket.qr.path} />
            </svg>
            <p className={css.how}>Point your phone here, or type this address:</p>
            <a className={css.link} href={ticket.link}>
              {ticket.link}
            </a>
          </>
        ) : (
          <p className={css.noQr}>The link and its QR code are made when you print.</p>
        )}
      </div>
    </article>
  )
}
