/** The print overlay over the Sales screen: what to print of one receipt, how it will look, and the buttons. Open while its address says so. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link, useFetcher, useLocation, useNavigate } from 'react-router'
import { receiptCardId } from '#app/features/sales/sales-screen.tsx'
import { shownName } from '#app/features/sales/receipt.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { BackField, useHasScript } from '#app/ui/back-field.tsx'
import { Download, Printer, X } from '#app/ui/icons.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { PAPER_SIZES, PAPER_TEXTS, PAPERS, papersFor, readShipping, typedShippingOf, type Paper } from './paper.ts'
import type { OpenReceipt, Printed } from './papers.server.ts'
import { Papers } from './papers.tsx'
import css from './print-overlay.module.css'

type Props = { open: OpenReceipt; closedSearch: string; settings: ShopSettings }

export function PrintOverlay({ open, closedSearch, settings }: Props) {
  const { receipt, ticket, invoice } = open
  const [ticked, setTicked] = useState<readonly Paper[]>([])
  const [typedShipping, setTypedShipping] = useState(typedShippingOf(invoice))
  const hasScript = useHasScript()
  const close = useClose(closedSearch)
  const dialog = useModal(hasScript, receiptCardId(receipt.key))
  const fetcher = useFetcher<Printed>()
  useAnswerToasts(fetcher.data)

  // Seen again on each reading: the buyer's e-mail decides which there are.
  const chosen = papersFor(receipt).filter((paper) => ticked.includes(paper))
  const hasTicket = !chosen.includes('Testimony Ticket') || ticket !== null
  const hasNumber = !chosen.includes('Invoice') || invoice !== null
  usePrintAfter(fetcher.data, fetcher.state === 'idle' && hasTicket && hasNumber)

  const papers = { open, settings, shipping: readShipping(typedShipping) ?? 0 }
  const onPaper = ticket ? chosen : chosen.filter((paper) => paper !== 'Testimony Ticket')
  return (
    <dialog
      ref={dialog}
      open={!hasScript}
      className={`flush ${css.overlay}`}
      aria-labelledby="print-title"
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      // A browser may insist on closing: the address follows.
      onClose={close}
    >
      <header className={`row apart ruled ${css.head}`}>
        <h2 id="print-title" className="flush">
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
          <X />
        </Link>
      </header>
      <div className={`slim ${css.body}`}>
        <Choices open={open} fetcher={fetcher} chosen={chosen} onChoose={setTicked} typed={typedShipping} onType={setTypedShipping} />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on a desk it scrolls by itself, by keys as well */}
        <section className={`stack raised ${css.preview}`} aria-label="Preview" tabIndex={0}>
          {chosen.length === 0 ? (
            <p className={`centered-text soft ${css.none}`}>Tick what goes into the parcel.</p>
          ) : (
            <Papers {...papers} chosen={chosen} />
          )}
        </section>
      </div>
      {/* The same papers once more outside the dialog, where every browser breaks them into pages; the screen never shows these. */}
      {hasScript &&
        chosen.length > 0 &&
        createPortal(
          <div className={css.onPaper} aria-hidden="true">
            <Papers {...papers} chosen={onPaper} />
          </div>,
          document.body,
        )}
    </dialog>
  )
}

type ChoicesProps = {
  open: OpenReceipt
  fetcher: ReturnType<typeof useFetcher<Printed>>
  chosen: readonly Paper[]
  onChoose: (papers: readonly Paper[]) => void
  typed: string
  onType: (typed: string) => void
}

function Choices({ open: { receipt, invoice, size }, fetcher, chosen, onChoose, typed, onType }: ChoicesProps) {
  const hasScript = useHasScript()
  const isPending = fetcher.state !== 'idle'
  const isNumber = readShipping(typed) !== null
  const refused = isPending || fetcher.data?.field === 'shipping' ? undefined : fetcher.data?.error
  const button = { name: 'output', disabled: hasScript && chosen.length === 0, 'aria-disabled': isPending, 'aria-busy': isPending }
  return (
    <fetcher.Form
      method="post"
      className={css.choices}
      onSubmit={(event) => {
        const output = (event.nativeEvent as SubmitEvent).submitter?.getAttribute('value')
        // SALES-40: whatever is a number may stand there, and nothing else is printed.
        if (chosen.length === 0 || !isNumber) event.preventDefault()
        // The letter alone needs neither number nor ticket.
        else if (output !== 'pdf' && chosen.every((paper) => paper === 'Thank you card')) {
          event.preventDefault()
          window.print()
        }
        if (!isNumber) event.currentTarget.querySelector<HTMLInputElement>('#shipping')?.focus()
      }}
    >
      <BackField />
      <input type="hidden" name="receipt" value={receipt.key} />
      <fieldset className={`slim ${css.papers}`}>
        <legend>Papers</legend>
        {papersFor(receipt).map((paper) => (
          <label key={paper} className="check">
            <input
              type="checkbox"
              name="paper"
              value={paper}
              checked={chosen.includes(paper)}
              onChange={({ target }) => onChoose(PAPERS.filter((one) => (one === paper ? target.checked : chosen.includes(one))))}
            />
            {paper}
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor="shipping">Shipping fee</label>
        <input
          id="shipping"
          name="shipping"
          className="input"
          inputMode="decimal"
          autoComplete="off"
          placeholder="Enter Shipping Price, 0 for FREE"
          aria-describedby="shipping-error"
          aria-invalid={!isNumber}
          value={typed}
          onChange={({ target }) => onType(target.value)}
        />
        <p className="error" id="shipping-error" role="alert">
          {isNumber ? undefined : PAPER_TEXTS['not-a-number']}
        </p>
      </div>
      <button className="button" value="print" {...button}>
        <Printer size={20} />
        Print
      </button>
      <div className={css.file}>
        <label>
          <span className="unseen">Paper size of the PDF</span>
          <select className="input" name="size" defaultValue={size}>
            {PAPER_SIZES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <button className="button quiet" value="pdf" {...button}>
          <Download size={20} />
          Download PDF
        </button>
      </div>
      <p className="error" role="alert">
        {refused}
      </p>
      <p className={`soft small ${css.numbered}`}>
        {invoice ? 'This invoice keeps its number, however often it is printed.' : 'An invoice gets its number when it is first printed.'}
      </p>
    </fetcher.Form>
  )
}

function useModal(hasScript: boolean, openerId: string) {
  const dialog = useRef<HTMLDialogElement>(null)
  // The browser's own modal state is outside React; it must end before the element leaves the page.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!hasScript || !element) return
    element.showModal()
    return () => {
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

/** SALES-59: once for each answer, as soon as what it tells of is on the paper, the browser prints or brings the file. */
function usePrintAfter(answer: Printed | undefined, isReady: boolean): void {
  const done = useRef<Printed>(undefined)
  useEffect(() => {
    if (!answer?.ok || !isReady || done.current === answer) return
    done.current = answer
    if (answer.pdf) location.assign(answer.pdf)
    else window.print()
  }, [answer, isReady])
}
