import {
  type ChangeEvent,
  type ComponentProps,
  type SubmitEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Link, useLocation, useNavigate } from 'react-router'
import { UndoSaleForm } from '#orders/undo-sale-form.tsx'
import { PackingSlipLinks } from '#parcels/owner-parcel.tsx'
import { receiptCardId } from '#sales/sales-screen.tsx'
import type { ShopSettings } from '#settings/shop-settings.ts'
import { ActionForm, type FormState, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { InputField, TextareaField } from '#ui/form-fields.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { Printer, X } from '#ui/icons.tsx'
import { Download } from '#ui/owner-icons.tsx'
import {
  type PrintDocument,
  PAPER_SIZES,
  PRINT_DOCUMENTS,
  documentsFor,
  parseShipping,
  shippingText,
} from './print-document.ts'
import type { PrintData, PrintResult } from './print-documents.server.ts'
import { PrintDocuments } from './print-documents.tsx'
import { printErrorTexts, printTexts as texts } from './texts.ts'
import css from './print-overlay.module.css'

type TypedFields = { shipping: string; name: string; address: string }

/**
 * Keeps the typed texts of each receipt after the overlay closes. Only browsers fill this map,
 * because all requests would share it on the server.
 */
const typedByReceipt = new Map<string, Partial<TypedFields>>()

type PrintOverlayProps = {
  open: PrintData
  closedSearch: string
  settings: ShopSettings
  /** The page owns this form, because undoing a sale may close the overlay. */
  undoing: FormState
}

export function PrintOverlay({ open, closedSearch, settings, undoing }: PrintOverlayProps) {
  const { receipt, ticket, invoice } = open
  const [ticked, setTicked] = useState<readonly PrintDocument[]>([])
  const [fields, changeFields] = useTypedFields(open, settings)
  const hasScript = useHydrated()
  const close = useClose(closedSearch)
  const dialog = useModal(hasScript, receiptCardId(receipt.key))
  const form = useActionForm<PrintResult>()
  const chosen = documentsFor(receipt).filter((paper) => ticked.includes(paper))
  const hasTicket = !chosen.includes('Testimony Ticket') || ticket !== null
  const hasNumber = !chosen.includes('Invoice') || invoice !== null
  usePrintAfter(form.answer, !form.isPending && hasTicket && hasNumber)

  const papers = {
    open: { ...open, billTo: { name: fields.name.trim(), address: fields.address } },
    settings,
    shipping: parseShipping(fields.shipping) ?? 0,
  }
  return (
    <dialog
      ref={dialog}
      open={!hasScript}
      className={`m-0 ${css.overlay}`}
      aria-labelledby="print-title"
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={close}
    >
      <OverlayHeader
        title={texts.title(receipt)}
        closedSearch={closedSearch}
        close={close}
      />
      <div className={`min-w-0 ${css.body}`}>
        <div className={css.choices}>
          <PrintForm
            open={open}
            form={form}
            chosen={chosen}
            onChoose={setTicked}
            typed={fields}
            onType={changeFields}
          />
          {open.shippedOfferIds.map((id) => (
            <PackingSlipLinks
              offerId={id}
              key={id}
            />
          ))}
          <ReceiptSales
            open={open}
            undoing={undoing}
          />
        </div>
        <Preview
          {...papers}
          chosen={chosen}
        />
      </div>
      {/* Only this copy is printed, because some browsers cannot split a dialog into pages. */}
      {hasScript &&
        chosen.length > 0 &&
        createPortal(
          <div
            className={css.onPaper}
            aria-hidden="true"
          >
            <PrintDocuments
              {...papers}
              chosen={chosen.filter((paper) => paper !== 'Testimony Ticket' || ticket)}
            />
          </div>,
          document.body,
        )}
    </dialog>
  )
}

type OverlayHeaderProps = Pick<PrintOverlayProps, 'closedSearch'> & {
  title: string
  close: () => void
}

const OverlayHeader = ({ title, closedSearch, close }: OverlayHeaderProps) => (
  <header className={`flex items-center gap-3 justify-between border-b ${css.head}`}>
    <h2
      id="print-title"
      className="m-0"
    >
      {title}
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
)

type PrintFormProps = {
  open: PrintData
  form: FormState<PrintResult>
  chosen: readonly PrintDocument[]
  onChoose: (papers: readonly PrintDocument[]) => void
  typed: TypedFields
  onType: (changed: Partial<TypedFields>) => void
}

function PrintForm({ open, form, chosen, onChoose, typed, onType }: PrintFormProps) {
  const { receipt, invoice } = open
  const isAmount = parseShipping(typed.shipping) !== null
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    const output = event.nativeEvent.submitter?.getAttribute('value')
    if (chosen.length === 0 || !isAmount) event.preventDefault()
    else if (output !== 'pdf' && chosen.every((paper) => paper === 'Thank you card')) {
      event.preventDefault()
      window.print()
    }
    if (!isAmount) event.currentTarget.querySelector<HTMLInputElement>('#shipping')?.focus()
  }
  return (
    <ActionForm
      form={form}
      onSubmit={submit}
      fields={{ receipt: receipt.key }}
    >
      <fieldset className={`min-w-0 ${css.papers}`}>
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
                  PRINT_DOCUMENTS.filter((item) =>
                    item === paper ? target.checked : chosen.includes(item),
                  ),
                )
              }
            />
            {receipt.cancels ? texts.cancellation : paper}
          </label>
        ))}
      </fieldset>
      <InvoiceFields
        open={open}
        form={form}
        typed={typed}
        onType={onType}
      />
      <OutputButtons
        open={open}
        hasChoice={chosen.length > 0}
      />
      <p className={`text-soft text-sm ${css.numbered}`}>
        {invoice ? texts.hasNumber : texts.noNumber}
      </p>
    </ActionForm>
  )
}

type InvoiceFieldsProps = Pick<PrintFormProps, 'open' | 'form' | 'typed' | 'onType'>

function InvoiceFields({ open, form, typed, onType }: InvoiceFieldsProps) {
  const { receipt, invoice } = open
  const isAmount = parseShipping(typed.shipping) !== null
  const answer = form.isPending ? undefined : form.answer
  const isFieldError = ['shipping', 'buyerName', 'buyerAddress'].includes(answer?.field ?? '')
  const input = (field: keyof TypedFields) => ({
    autoComplete: 'off',
    value: typed[field],
    readOnly: invoice !== null,
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onType({ [field]: target.value }),
  })
  return (
    <>
      {!receipt.cancels && (
        <InputField
          label={texts.shippingFee}
          name="shipping"
          id="shipping"
          error={isAmount ? undefined : printErrorTexts.notANumber}
          {...input('shipping')}
          inputMode="decimal"
          placeholder={texts.shippingHint}
        />
      )}
      <InputField
        label={texts.buyerName}
        name="buyerName"
        {...input('name')}
      />
      <TextareaField
        label={texts.buyerAddress}
        name="buyerAddress"
        hint={invoice ? undefined : texts.addressHint}
        {...input('address')}
        rows={3}
      />
      <p
        className="error mb-5"
        role="alert"
      >
        {isFieldError ? undefined : answer?.error}
      </p>
    </>
  )
}

function OutputButtons({ open, hasChoice }: { open: PrintData; hasChoice: boolean }) {
  const isDisabled = useHydrated() && !hasChoice
  const button = { name: 'output', disabled: isDisabled, 'data-uncovered': true }
  return (
    <>
      {isDisabled && <p className="text-soft text-sm">{printErrorTexts.nothing}</p>}
      <SubmitButton
        value="print"
        {...button}
      >
        <Printer size={20} />
        {texts.print}
      </SubmitButton>
      <div className={css.file}>
        <label>
          <span className="sr-only">{texts.paperSize}</span>
          <select
            className="input"
            name="size"
            defaultValue={open.size}
          >
            {PAPER_SIZES.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
        </label>
        <SubmitButton
          className="button quiet"
          value="pdf"
          {...button}
        >
          <Download size={20} />
          {texts.download}
        </SubmitButton>
      </div>
    </>
  )
}

const Preview = (papers: ComponentProps<typeof PrintDocuments>) => (
  <section
    className={`grid gap-4 bg-raised ${css.preview}`}
    aria-label={texts.preview}
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    tabIndex={0}
  >
    {papers.chosen.length === 0 ? (
      <p className={`text-center text-soft ${css.none}`}>{texts.nothingChosen}</p>
    ) : (
      <PrintDocuments {...papers} />
    )}
  </section>
)

type ReceiptSalesProps = Pick<PrintOverlayProps, 'open' | 'undoing'>

function ReceiptSales({ open: { sales, undos }, undoing }: ReceiptSalesProps) {
  if (sales.every((sale) => sale.isCancellation)) return null
  return (
    <section
      className={css.sales}
      aria-label={texts.sales}
    >
      <h3>{texts.sales}</h3>
      <ul
        role="list"
        className="list-none grid gap-4 min-w-0"
      >
        {sales.map((sale) => (
          <li
            key={sale.id}
            className="flex items-center gap-3 justify-between"
          >
            <span className="min-w-0">{sale.itemName}</span>
            {sale.isCanceled ? (
              <span className="text-soft">{texts.canceled}</span>
            ) : (
              undos[sale.id] && (
                <UndoSaleForm
                  sale={{ id: sale.id, item: sale.itemName }}
                  undo={undos[sale.id]!}
                  form={undoing}
                  action="/manage/sales/"
                />
              )
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function useTypedFields({ receipt, invoice, agreed, billTo }: PrintData, settings: ShopSettings) {
  const [typed, setTyped] = useState(() => typedByReceipt.get(receipt.key) ?? {})
  const changeFields = (changed: Partial<TypedFields>) => {
    typedByReceipt.set(receipt.key, { ...typed, ...changed })
    setTyped({ ...typed, ...changed })
  }
  const usualFee = receipt.method ? '' : settings.defaultShipping
  const initial = { shipping: shippingText(invoice ?? agreed, usualFee), ...billTo }
  const fields: TypedFields = invoice ? initial : { ...initial, ...typed }
  return [fields, changeFields] as const
}

function useModal(hasScript: boolean, openerId: string) {
  const dialog = useRef<HTMLDialogElement>(null)
  // A layout effect closes the dialog before React removes its element.
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

function usePrintAfter(answer: PrintResult | undefined, isReady: boolean) {
  const printedAnswer = useRef<PrintResult>(undefined)
  useEffect(() => {
    if (!answer?.ok || !isReady || printedAnswer.current === answer) return
    printedAnswer.current = answer
    if (answer.pdf) location.assign(answer.pdf)
    else window.print()
  }, [answer, isReady])
}
