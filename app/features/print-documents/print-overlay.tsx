import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import {
  type FetcherWithComponents,
  Link,
  useFetcher,
  useLocation,
  useNavigate,
} from 'react-router'
import { PackingSlipLinks } from '#app/features/parcels/packing-slip-links.tsx'
import { receiptCardId } from '#app/features/sales/sales-screen.tsx'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { RedirectToField, useHydrated } from '#app/ui/redirect-field.tsx'
import { Download, Printer, X } from '#app/ui/icons.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { useActionToasts } from '#app/ui/toasts.tsx'
import type { PrintDocument } from './print-document.ts'
import {
  PAPER_SIZES,
  PRINT_DOCUMENTS,
  documentsFor,
  parseShipping,
  shippingText,
} from './print-document.ts'
import type { PrintData, PrintResult } from './print-documents.server.ts'
import { PrintDocuments } from './print-documents.tsx'
import { ReceiptSales } from './receipt-sales.tsx'
import { printErrorTexts, printTexts as texts } from './texts.ts'
import css from './print-overlay.module.css'

/** The fields of each receipt that the owner has changed, so that they keep her texts when she closes the overlay and opens it again. On the server, this map stays empty. */
const typedByReceipt = new Map<string, Partial<Typed>>()

type Props = {
  open: PrintData
  closedSearch: string
  settings: ShopSettings
  /** This fetcher sends the forms that undo or cancel a sale. The fetcher belongs to the page, because the overlay may close after a sale is undone. */
  undoing: FetcherWithComponents<ActionResult>
}

export function PrintOverlay({ open, closedSearch, settings, undoing }: Props) {
  const { receipt, ticket, invoice } = open
  const [ticked, setTicked] = useState<readonly PrintDocument[]>([])
  // A sale outside a conversation, for example at the market stall, is usually not shipped.
  const usualFee = receipt.method ? '' : settings.defaultShipping
  const defaults = { shipping: shippingText(invoice ?? open.agreed, usualFee), ...open.billTo }
  const [typedFields, setTypedFields] = useState(() => typedByReceipt.get(receipt.key) ?? {})
  const allFields = { ...defaults, ...typedFields }
  const change = (next: Partial<Typed>) => {
    typedByReceipt.set(receipt.key, { ...typedFields, ...next })
    setTypedFields({ ...typedFields, ...next })
  }
  // A numbered invoice shows its stored fee, name and address, even if the invoice got its number in another browser tab.
  const shownFields = invoice ? { shipping: shippingText(invoice, ''), ...open.billTo } : allFields
  const hasScript = useHydrated()
  const close = useClose(closedSearch)
  const dialog = useModal(hasScript, receiptCardId(receipt.key))
  const fetcher = useFetcher<PrintResult>()
  useActionToasts(fetcher.data)

  // The page leaves out a checked document that the owner can no longer print, such as a testimony ticket after the buyer's email address was removed.
  const chosen = documentsFor(receipt).filter((paper) => ticked.includes(paper))
  const hasTicket = !chosen.includes('Testimony Ticket') || ticket !== null
  const hasNumber = !chosen.includes('Invoice') || invoice !== null
  usePrintAfter(fetcher.data, fetcher.state === 'idle' && hasTicket && hasNumber)

  const billTo = { name: shownFields.name.trim(), address: shownFields.address }
  const papers = {
    open: { ...open, billTo },
    settings,
    shipping: parseShipping(shownFields.shipping) ?? 0,
  }
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
      // The browser may also close the dialog itself. The page then removes the receipt from its URL.
      onClose={close}
    >
      <header className={`row apart ruled ${css.head}`}>
        <h2
          id="print-title"
          className="flush"
        >
          {texts.title(receipt)}
        </h2>
        <Link
          className="icon-button"
          to={closedSearch}
          replace
          preventScrollReset
          aria-label={texts.close}
          onClick={(event) => {
            event.preventDefault()
            close()
          }}
        >
          <X />
        </Link>
      </header>
      <div className={`slim ${css.body}`}>
        <PrintForm
          open={open}
          fetcher={fetcher}
          chosen={chosen}
          onChoose={setTicked}
          typed={shownFields}
          onType={change}
        >
          <ReceiptSales
            open={open}
            undoing={undoing}
          />
        </PrintForm>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on a wide screen it is a scroll container that the keyboard must reach */}
        <section
          className={`stack raised ${css.preview}`}
          aria-label={texts.preview}
          tabIndex={0}
        >
          {chosen.length === 0 ? (
            <p className={`centered-text soft ${css.none}`}>{texts.nothingChosen}</p>
          ) : (
            <PrintDocuments
              {...papers}
              chosen={chosen}
            />
          )}
        </section>
      </div>
      {/* Only this copy of the documents is printed. It is outside of the dialog, because some browsers cannot split a dialog into pages. */}
      {hasScript &&
        chosen.length > 0 &&
        createPortal(
          <div
            className={css.onPaper}
            aria-hidden="true"
          >
            <PrintDocuments
              {...papers}
              chosen={onPaper}
            />
          </div>,
          document.body,
        )}
    </dialog>
  )
}

type ChoicesProps = {
  open: PrintData
  fetcher: ReturnType<typeof useFetcher<PrintResult>>
  chosen: readonly PrintDocument[]
  onChoose: (papers: readonly PrintDocument[]) => void
  typed: Typed
  onType: (changed: Partial<Typed>) => void
  children: ReactNode
}
type Typed = { shipping: string; name: string; address: string }

function PrintForm({
  open: { receipt, invoice, size, shippedOfferIds },
  fetcher,
  chosen,
  onChoose,
  typed,
  onType,
  children,
}: ChoicesProps) {
  const hasScript = useHydrated()
  const isPending = fetcher.state !== 'idle'
  const isNumber = parseShipping(typed.shipping) !== null
  const answer = isPending ? undefined : fetcher.data
  const errorAt = (field: string) => (answer?.field === field ? answer.error : undefined)
  const isField = ['shipping', 'buyerName', 'buyerAddress'].includes(answer?.field ?? '')
  const button = {
    name: 'output',
    disabled: hasScript && chosen.length === 0,
    'aria-disabled': isPending,
    'aria-busy': isPending,
    'data-uncovered': true,
  }
  return (
    <div className={css.choices}>
      <fetcher.Form
        method="post"
        onSubmit={(event) => {
          const output = (event.nativeEvent as SubmitEvent).submitter?.getAttribute('value')
          // The page prints nothing if no document is checked, or if the shipping fee is not a number. [SALES-40]
          if (chosen.length === 0 || !isNumber) event.preventDefault()
          // If only the thank-you card is checked, the browser prints without an HTTP request, because the card needs no invoice number and no testimony ticket.
          else if (output !== 'pdf' && chosen.every((paper) => paper === 'Thank you card')) {
            event.preventDefault()
            window.print()
          }
          if (!isNumber) event.currentTarget.querySelector<HTMLInputElement>('#shipping')?.focus()
        }}
      >
        <RedirectToField />
        <input
          type="hidden"
          name="receipt"
          value={receipt.key}
        />
        <fieldset className={`slim ${css.papers}`}>
          <legend>{texts.documents}</legend>
          {documentsFor(receipt).map((paper) => (
            <label
              key={paper}
              className="check"
            >
              <input
                type="checkbox"
                name="paper"
                value={paper}
                checked={chosen.includes(paper)}
                onChange={({ target }) =>
                  onChoose(
                    PRINT_DOCUMENTS.filter((one) =>
                      one === paper ? target.checked : chosen.includes(one),
                    ),
                  )
                }
              />
              {receipt.cancels ? texts.cancellation : paper}
            </label>
          ))}
        </fieldset>
        {!receipt.cancels && (
          <Field
            label={texts.shippingFee}
            name="shipping"
            id="shipping"
            error={isNumber ? undefined : printErrorTexts.notANumber}
          >
            {(tied) => (
              <input
                {...tied}
                inputMode="decimal"
                autoComplete="off"
                placeholder={texts.shippingHint}
                value={typed.shipping}
                readOnly={invoice !== null}
                onChange={({ target }) => onType({ shipping: target.value })}
              />
            )}
          </Field>
        )}
        <Field
          label={texts.buyerName}
          name="buyerName"
          error={errorAt('buyerName')}
        >
          {(tied) => (
            <input
              {...tied}
              autoComplete="off"
              value={typed.name}
              readOnly={invoice !== null}
              onChange={({ target }) => onType({ name: target.value })}
            />
          )}
        </Field>
        <Field
          label={texts.buyerAddress}
          name="buyerAddress"
          hint={invoice ? undefined : texts.addressHint}
          error={errorAt('buyerAddress')}
        >
          {(tied) => (
            <textarea
              {...tied}
              rows={3}
              autoComplete="off"
              value={typed.address}
              readOnly={invoice !== null}
              onChange={({ target }) => onType({ address: target.value })}
            />
          )}
        </Field>
        <p
          className="error gap-below"
          role="alert"
        >
          {isField ? undefined : answer?.error}
        </p>
        {button.disabled && <p className="soft small">{printErrorTexts.nothing}</p>}
        <button
          className="button"
          value="print"
          {...button}
        >
          <Printer size={20} />
          {texts.print}
        </button>
        <div className={css.file}>
          <label>
            <span className="visually-hidden">{texts.paperSize}</span>
            <select
              className="input"
              name="size"
              defaultValue={size}
            >
              {PAPER_SIZES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <button
            className="button quiet"
            value="pdf"
            {...button}
          >
            <Download size={20} />
            {texts.download}
          </button>
        </div>
        <p className={`soft small ${css.numbered}`}>{invoice ? texts.hasNumber : texts.noNumber}</p>
      </fetcher.Form>
      {shippedOfferIds.map((id) => (
        <PackingSlipLinks
          offerId={id}
          key={id}
        />
      ))}
      {children}
    </div>
  )
}

function useModal(hasScript: boolean, openerId: string) {
  const dialog = useRef<HTMLDialogElement>(null)
  // This is a layout effect, because the dialog must be closed before React removes its element.
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

/** Returns a function that goes back to the list of receipts. The function goes back only once, even if the owner clicks "Close" several times. */
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

/** After each response, prints the documents or downloads their PDF once, as soon as the page shows the new invoice number and ticket. [SALES-59] */
function usePrintAfter(answer: PrintResult | undefined, isReady: boolean): void {
  const done = useRef<PrintResult>(undefined)
  useEffect(() => {
    if (!answer?.ok || !isReady || done.current === answer) return
    done.current = answer
    if (answer.pdf) location.assign(answer.pdf)
    else window.print()
  }, [answer, isReady])
}
