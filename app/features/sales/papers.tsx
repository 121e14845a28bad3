/** What goes into the parcel: invoice, thank-you card and testimony ticket, the same on screen and on paper. */
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { Invoice } from './invoice.tsx'
import type { Paper } from './receipt.ts'
import type { OpenReceipt } from './sales-page.server.ts'
import { TestimonyTicket } from './testimony-ticket.tsx'
import { ThankYouCard } from './thank-you-card.tsx'

type Props = { open: OpenReceipt; chosen: readonly Paper[]; shipping: number; settings: ShopSettings }

export function Papers({ open: { receipt, ticket, today }, chosen, shipping, settings }: Props) {
  return (
    <>
      {chosen.includes('Invoice') && <Invoice receipt={receipt} shipping={shipping} today={today} settings={settings} />}
      {chosen.includes('Thank you card') && <ThankYouCard receipt={receipt} settings={settings} />}
      {chosen.includes('Testimony Ticket') && <TestimonyTicket ticket={ticket} settings={settings} />}
    </>
  )
}
