/** The print overlay over the Sales screen: what to print of one receipt, how it will look, and the buttons. Open while its address says so. */
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { Link, useFetcher } from 'react-router'
import { X } from 'lucide-react'
import { receiptCardId } from '#app/features/sales/receipt-card.tsx'
import { shownName } from '#app/features/sales/receipt.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { useHasScript } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { OpenReceipt } from './open-receipt.server.ts'
import { papersFor, readShipping, typedShippingOf, type Paper } from './paper.ts'
import { Papers } from './papers.tsx'
import { PrintChoices } from './print-choices.tsx'
import type { Printed } from './print-papers.server.ts'
import { useClose, useModal } from './use-overlay.ts'
import { usePrintAfter } from './use-print-after.ts'
import css from './print-overlay.module.css'

type Props = { open: OpenReceipt; closedSearch: string; settings: ShopSettings }

export function PrintOverlay({ open, closedSearch, settings }: Props) {
  const { receipt, ticket, invoice } = open
  const [ticked, setTicked] = useState<readonly Paper[]>([])
  const [typedShipping, setTypedShipping] = useState(typedShippingOf(invoice))
  const hasScript = useHasScript()
  const close = useClose(closedSearch)
  const dialog = useModal(hasScript, receiptCardId(receipt.key), close)
  const fetcher = useFetcher<Printed>()
  useAnswerToasts(fetcher.data)

  // Seen again on each reading: the buyer's e-mail decides which there are.
  const chosen = papersFor(receipt).filter((paper) => ticked.includes(paper))
  const hasTicket = !chosen.includes('Testimony Ticket') || ticket !== null
  const hasNumber = !chosen.includes('Invoice') || invoice !== null
  usePrintAfter(fetcher.data, fetcher.state === 'idle' && hasTicket && hasNumber)

  const papers = { open, settings, shipping: readShipping(typedShipping) ?? 0 }
  return (
    <dialog ref={dialog} open={!hasScript} className={css.overlay} aria-labelledby="print-title">
      <header className={css.head}>
        <h2 id="print-title" className={css.title}>
          Print for {shownName(receipt)}
        </h2>
        <Link
          className="icon-button"
          to={closedSearch}
          replace
          preventScrollReset
          aria-label="Close"
          onClick={(event) => {
            event.preventDefault()
            close()
          }}
        >
          <X aria-hidden />
        </Link>
      </header>
      <div className={css.body}>
        <PrintChoices open={open} fetcher={fetcher} chosen={chosen} onChoose={setTicked} typed={typedShipping} onType={setTypedShipping} />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on a desk it scrolls by itself, by keys as well */}
        <section className={css.preview} aria-label="Preview" tabIndex={0}>
          {chosen.length === 0 ? <p className={css.none}>Tick what goes into the parcel.</p> : <Papers {...papers} chosen={chosen} />}
        </section>
      </div>
      {hasScript &&
        chosen.length > 0 &&
        createPortal(<OnPaper {...papers} chosen={ticket ? chosen : withoutTicket(chosen)} />, document.body)}
    </dialog>
  )
}

const withoutTicket = (papers: readonly Paper[]) => papers.filter((paper) => paper !== 'Testimony Ticket')

/** The same papers once more outside the dialog, where every browser breaks them into pages; the screen never shows these. */
const OnPaper = (props: React.ComponentProps<typeof Papers>) => (
  <div className={css.onPaper} aria-hidden="true">
    <Papers {...props} />
  </div>
)
