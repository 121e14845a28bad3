/** Puts the selected items on sale, or ends their sale (DISC-42 to DISC-53). */
import { BackField, useHasScript } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { AskedQuestion, useItemsFetcher } from './asked-question.tsx'
import { DiscountFields } from './discount-fields.tsx'
import type { Offer } from './discount-texts.ts'
import css from './discounts.module.css'
import type { Ticked } from './ticked.ts'
import { UndoNotice } from './undo-notice.tsx'

/** The form to which the boxes of the results belong. */
export const ITEMS_FORM = 'items-panel'

export function ItemsPanel({ ticked, offer }: { ticked: Ticked; offer: Offer | null }) {
  const fetcher = useItemsFetcher()
  useAnswerToasts(fetcher.data)
  const hasScript = useHasScript()
  const isBusy = fetcher.state !== 'idle'
  return (
    <div className={css.panel} role="group" aria-label="Discount of the selected items">
      <div className={css.wide}>
        <UndoNotice offer={offer} />
      </div>
      <fetcher.Form method="post" id={ITEMS_FORM}>
        <BackField />
        {hasScript && ticked.isAll && <input type="hidden" name="all" value="on" />}
        {ticked.isAll && [...ticked.ids].map((id) => <input type="hidden" name="except" value={id} key={id} />)}
      </fetcher.Form>
      <DiscountFields
        prefix="items"
        form={ITEMS_FORM}
        type="amount"
        value=""
        error={fetcher.data?.field === 'value' ? fetcher.data.error : undefined}
      />
      <div className={css.buttons}>
        <button className="button" form={ITEMS_FORM} name="intent" value="items-apply" aria-disabled={isBusy}>
          Apply
        </button>
        <button className="button danger" form={ITEMS_FORM} name="intent" value="items-remove" aria-disabled={isBusy}>
          Remove Discount
        </button>
      </div>
      {fetcher.data?.asked && <AskedQuestion asked={fetcher.data.asked} />}
    </div>
  )
}
