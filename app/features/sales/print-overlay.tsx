/** The print overlay over the Sales screen: what to print of one receipt, how it will look, and the button. Open while its address says so. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link, useFetcher, useLocation, useNavigate } from 'react-router'
import { Printer, X } from 'lucide-react'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import type { Answer } from '#app/ui/answer.ts'
import { useHasScript } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { Papers } from './papers.tsx'
import { receiptCardId } from './receipt-card.tsx'
import { PAPERS, papersFor, shippingFee, shownName, type Paper } from './receipt.ts'
import type { OpenReceipt } from './sales-page.server.ts'
import css from './print-overlay.module.css'

type Props = { open: OpenReceipt; closedSearch: string; settings: ShopSettings }

export function PrintOverlay({ open, closedSearch, settings }: Props) {
  const { receipt, ticket } = open
  const [ticked, setTicked] = useState<readonly Paper[]>([])
  const [typedShipping, setTypedShipping] = useState('')
  const hasScript = useHasScript()
  const close = useClose(closedSearch)
  const dialog = useModal(hasScript, receiptCardId(receipt.key), close)
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  usePrintAfter(fetcher.data, fetcher.state === 'idle' && ticket !== null)

  // Seen again on each reading: the buyer's e-mail decides which there are.
  const chosen = papersFor(receipt).filter((paper) => ticked.includes(paper))
  const pending = fetcher.state !== 'idle'
  const papers = { open, settings, shipping: shippingFee(typedShipping) }
  const print = () => {
    if (chosen.length === 0 || pending) return
    if (chosen.includes('Testimony Ticket')) void fetcher.submit({ receipt: receipt.key }, { method: 'post' })
    else window.print()
  }
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
        <form
          className={css.choices}
          onSubmit={(event) => {
            event.preventDefault()
            print()
          }}
        >
          <fieldset className={css.papers}>
            <legend>Papers</legend>
            {papersFor(receipt).map((paper) => (
              <label className={css.paper} key={paper}>
                <input
                  type="checkbox"
                  checked={ticked.includes(paper)}
                  onChange={({ target }) => setTicked(PAPERS.filter((one) => (one === paper ? target.checked : ticked.includes(one))))}
                />
                {paper}
              </label>
            ))}
          </fieldset>
          <div className="field">
            <label htmlFor="shipping">Shipping fee</label>
            <input
              id="shipping"
              className="input"
              type="number"
              step="any"
              inputMode="decimal"
              placeholder="Enter Shipping Price, 0 for FREE"
              value={typedShipping}
              onChange={({ target }) => setTypedShipping(target.value)}
            />
          </div>
          <button className={`button ${css.print}`} disabled={chosen.length === 0 || pending} aria-busy={pending}>
            <Printer size={20} aria-hidden />
            Print
          </button>
        </form>
        <section className={css.preview} aria-label="Preview">
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

/** Opens the dialog as a modal one, and gives the focus back to `openerId` when it goes. Escape asks to `close` it. */
function useModal(hasScript: boolean, openerId: string, close: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  // The browser's own modal state is outside React; it must end before the element leaves the page.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!hasScript || !element) return
    const onCancel = (event: Event) => {
      event.preventDefault()
      latest.current()
    }
    // A browser may insist on closing: the address follows.
    const onClose = () => latest.current()
    element.addEventListener('cancel', onCancel)
    element.addEventListener('close', onClose)
    element.showModal()
    return () => {
      element.removeEventListener('cancel', onCancel)
      element.removeEventListener('close', onClose)
      element.close()
      document.getElementById(openerId)?.focus({ preventScroll: true })
    }
  }, [hasScript, openerId])
  return dialog
}

/** Closing goes back to the list it was opened from, so that Back never opens it again; once, however often it is clicked. */
function useClose(closedSearch: string) {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { fromList?: boolean } | null }
  const isClosing = useRef(false)
  return () => {
    if (isClosing.current) return
    isClosing.current = true
    if (state?.fromList) void navigate(-1)
    else void navigate(closedSearch, { replace: true, preventScrollReset: true })
  }
}

/** SALES-59: once for each answer, as soon as the ticket that it tells of is on the paper. */
function usePrintAfter(answer: Answer | undefined, isReady: boolean): void {
  const printed = useRef<Answer>(undefined)
  // The print dialog is the browser's.
  useEffect(() => {
    if (!answer?.ok || !isReady || printed.current === answer) return
    printed.current = answer
    window.print()
  }, [answer, isReady])
}
