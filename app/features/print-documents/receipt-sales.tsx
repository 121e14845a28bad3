import type { FetcherWithComponents } from 'react-router'
import { UndoSaleForm } from '#app/features/orders/undo-sale-form.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import type { PrintData } from './print-documents.server.ts'
import { printTexts as texts } from './texts.ts'
import css from './print-overlay.module.css'

type Props = {
  open: Pick<PrintData, 'sales' | 'invoice'>
  undoing: FetcherWithComponents<ActionResult>
}

/** Shows a button to undo or cancel each sale of a receipt. It shows nothing for a cancellation, which the owner cannot undo. */
export function ReceiptSales({ open: { sales, invoice }, undoing }: Props) {
  if (sales.every((sale) => sale.isCancellation)) return null
  return (
    <section
      className={css.sales}
      aria-label={texts.sales}
    >
      <h3>{texts.sales}</h3>
      <ul
        role="list"
        className="bare-list stack slim"
      >
        {sales.map((sale) => (
          <li
            key={sale.id}
            className="row apart"
          >
            <span className="slim">{sale.itemName}</span>
            {sale.isCanceled ? (
              <span className="soft">{texts.canceled}</span>
            ) : (
              <UndoSaleForm
                sale={{ id: sale.id, item: sale.itemName }}
                invoice={invoice?.number ?? null}
                form={undoing}
                action="/manage/sales/"
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
