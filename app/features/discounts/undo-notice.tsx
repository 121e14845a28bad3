/** What was changed last, with "Undo" beside it until it is dismissed or followed by another change. */
import { Undo2, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { BackField } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { DiscountAnswer } from './discount-acts.server.ts'
import { offerText, type Offer } from './discount-texts.ts'
import css from './undo-notice.module.css'

/** Stays mounted while it is empty, so that what comes into it is announced. */
export function UndoNotice({ offer }: { offer: Offer | null }) {
  const fetcher = useFetcher<DiscountAnswer>()
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState<DiscountAnswer>()
  const { data } = fetcher
  // An undo that went well is told here, where it stays; only a refusal is a toast.
  useAnswerToasts(data?.ok ? undefined : data)
  // The focus is the browser's: the button that had it is gone now.
  useEffect(() => {
    if (data?.ok) place.current?.focus()
  }, [data])
  const result = data && data !== seen ? data.undone : undefined
  const isBusy = fetcher.state !== 'idle'
  const dismiss = 'Dismiss'
  return (
    <div className={css.place} ref={place} tabIndex={-1} role="group" aria-label="Last change">
      <p className={css.text} role="status">
        {offer ? offerText(offer) : (result ?? '')}
      </p>
      {offer && (
        <fetcher.Form method="post" className={css.buttons}>
          <BackField />
          <input type="hidden" name="seq" value={offer.seq} />
          <button className={`button quiet ${css.undo}`} name="intent" value="undo" aria-disabled={isBusy}>
            <Undo2 size={18} aria-hidden="true" />
            Undo
          </button>
          <button className={css.dismiss} name="intent" value="dismiss" aria-label={dismiss} title={dismiss}>
            <X size={20} aria-hidden="true" />
          </button>
        </fetcher.Form>
      )}
      {!offer && result && (
        <button type="button" className={css.dismiss} aria-label={dismiss} title={dismiss} onClick={() => setSeen(data)}>
          <X size={20} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
