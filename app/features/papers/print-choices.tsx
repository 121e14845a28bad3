/** The form of the print overlay: which papers, the shipping fee, and the two ways to paper. */
import { Download, Printer } from 'lucide-react'
import type { useFetcher } from 'react-router'
import { BackField, useHasScript } from '#app/ui/back-field.tsx'
import type { OpenReceipt } from './open-receipt.server.ts'
import { PAPER_SIZES, PAPER_TEXTS, PAPERS, papersFor, readShipping, type Paper } from './paper.ts'
import type { Printed } from './print-papers.server.ts'
import css from './print-overlay.module.css'

type Props = {
  open: OpenReceipt
  fetcher: ReturnType<typeof useFetcher<Printed>>
  chosen: readonly Paper[]
  onChoose: (papers: readonly Paper[]) => void
  /** the shipping fee as it stands in the field */
  typed: string
  onType: (typed: string) => void
}

export function PrintChoices({ open: { receipt, invoice, size }, fetcher, chosen, onChoose, typed, onType }: Props) {
  const hasScript = useHasScript()
  const isPending = fetcher.state !== 'idle'
  const isNumber = readShipping(typed) !== null
  const isOff = hasScript && chosen.length === 0
  const refused = isPending || fetcher.data?.field === 'shipping' ? undefined : fetcher.data?.error
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
      <fieldset className={css.papers}>
        <legend>Papers</legend>
        {papersFor(receipt).map((paper) => (
          <label className={css.paper} key={paper}>
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
      <button
        className={`button ${css.print}`}
        name="output"
        value="print"
        disabled={isOff}
        aria-disabled={isPending}
        aria-busy={isPending}
      >
        <Printer size={20} aria-hidden />
        Print
      </button>
      <div className={css.file}>
        <label className={css.size}>
          <span className="unseen">Paper size of the PDF</span>
          <select className="input" name="size" defaultValue={size}>
            {PAPER_SIZES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <button
          className={`button quiet ${css.download}`}
          name="output"
          value="pdf"
          disabled={isOff}
          aria-disabled={isPending}
          aria-busy={isPending}
        >
          <Download size={20} aria-hidden />
          Download PDF
        </button>
      </div>
      <p className="error" role="alert">
        {refused}
      </p>
      <p className={css.numbered}>
        {invoice ? 'This invoice keeps its number, however often it is printed.' : 'An invoice gets its number when it is first printed.'}
      </p>
    </fetcher.Form>
  )
}
