/** The question that the server asks before it changes the discounts of items (DISC-47 to DISC-49). */
import { useId, useLayoutEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import { BackField } from '#app/ui/back-field.tsx'
import dialogCss from '#app/ui/dialog.module.css'
import { Choices, dialogAround } from '#app/ui/question.tsx'
import type { DiscountAnswer, Question } from './discount-acts.server.ts'
import css from './discounts.module.css'

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
      className={`${dialogCss.dialog} ${css.asked}`}
      aria-labelledby={`${id}-question`}
      aria-describedby={warning ? `${id}-warning` : undefined}
    >
      <p id={`${id}-question`} className={dialogCss.question}>
        {question}
      </p>
      {warning && (
        <p id={`${id}-warning`} className={css.warning}>
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
