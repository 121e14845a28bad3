/** What goes into the parcel: invoice, thank-you card and testimony ticket, the same on screen and on paper. */
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { Invoice } from './invoice.tsx'
import type { OpenReceipt } from './open-receipt.server.ts'
import type { Paper } from './paper.ts'
import { TestimonyTicket } from './testimony-ticket.tsx'
import { ThankYouCard } from './thank-you-card.tsx'

type Props = { open: OpenReceipt; chosen: readonly Paper[]; shipping: number; settings: ShopSettings }

export function Papers({ open: { receipt, ticket, invoice, issued, today }, chosen, shipping, settings }: Props) {
  const facts = { receipt, number: invoice?.number ?? null, issued, today, shipping }
  return (
    <>
      {chosen.includes('Invoice') && <Invoice {...facts} settings={settings} />}
      {chosen.includes('Thank you card') && <ThankYouCard receipt={receipt} settings={settings} />}
      {chosen.includes('Testimony Ticket') && <TestimonyTicket ticket={ticket} settings={settings} />}
    </>
  )
}
