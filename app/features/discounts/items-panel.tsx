/** Puts the selected items on sale, or ends their sale (DISC-42 to DISC-53). */
import { useId, useLayoutEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import { BackField, useHasScript } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { Choices, dialogAround } from '#app/ui/question.tsx'
import { DiscountFields, UndoNotice } from './discount-fields.tsx'
import type { Offer } from './discount-texts.ts'
import type { Ticked } from './items-discount.tsx'
import type { DiscountAnswer, Question } from './discount-acts.server.ts'
import css from './discounts.module.css'
import dialogCss from '#app/ui/dialog.module.css'

/** The form to which the boxes of the results belong. */
export const ITEMS_FORM = 'items-panel'

export function ItemsPanel({ ticked, offer }: { ticked: Ticked; offer: Offer | null }) {
  const fetcher = useItemsFetcher()
  useAnswerToasts(fetcher.data)
  const hasScript = useHasScript()
  const isBusy = fetcher.state !== 'idle'
  return (
    <div className={`stack ${css.panel}`} role="group" aria-label="Discount of the selected items">
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
      <div className={`cluster ${css.buttons}`}>
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

/** The panel and the question speak to the server as one. */
export const useItemsFetcher = () => useFetcher<DiscountAnswer>({ key: 'items-discount' })

/** Without script it stands open in the page; with it, it is a dialog, opened anew for each new question. */
export function AskedQuestion({ asked: { question, warning, fields } }: { asked: Question }) {
  const fetcher = useItemsFetcher()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Only the browser can make a dialog of it, and it brings the focus back by itself.
  useLayoutEffect(() => {
    dialog.current?.close()
    dialog.current?.showModal()
  }, [fields])
  return (
    <dialog
      open
      ref={dialog}
      className={`card ${dialogCss.dialog} ${css.asked}`}
      aria-labelledby={`${id}-question`}
      aria-describedby={warning ? `${id}-warning` : undefined}
    >
      <p id={`${id}-question`} className={`large ${dialogCss.question}`}>
        {question}
      </p>
      {warning && (
        <p id={`${id}-warning`} className={`strong raised ${css.warning}`}>
          {warning}
        </p>
      )}
      <fetcher.Form method="post" id={`${id}-yes`}>
        <BackField />
        {fields.map(([name, value]) => (
          <input type="hidden" name={name} value={value} key={`${name} ${value}`} />
        ))}
      </fetcher.Form>
      <form method="dialog" id={`${id}-no`} />
      <Choices>
        <button
          className="button"
          form={`${id}-yes`}
          name="confirm"
          value="Yes"
          // Closed after the form has gone out: a button in a closed dialog sends nothing.
          onClick={({ currentTarget }) => setTimeout(() => dialogAround(currentTarget)?.close())}
        >
          Yes
        </button>
        <button className="button quiet" form={`${id}-no`}>
          No
        </button>
      </Choices>
    </dialog>
  )
}
