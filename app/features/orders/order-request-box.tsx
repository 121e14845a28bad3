/** The box of an item's page in which a customer asks for the item. */
import { Link, useFetcher } from 'react-router'
import { useId, useState } from 'react'
import { newId15 } from '#app/platform/ids.ts'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { MAX_MESSAGE, TOO_LONG } from './order.ts'
import { REQUEST_HINT } from './order-texts.ts'
import css from './order-request-box.module.css'

type Props = { itemId: string; viewer: 'visitor' | 'guest' | 'customer' | 'admin' }

/** ITEM-18 to ITEM-20, ITEM-31, S-072, S-073 */
export function OrderRequestBox({ itemId, viewer }: Props) {
  const id = useId()
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const [isTooLong, setTooLong] = useState(false)
  const [arrived, setArrived] = useState(0)
  // The same words sent again after a failure are the same message; a message that arrived makes room for the next one.
  const [tried, setTried] = useState({ itemId, messageId: '' })
  const [answered, setAnswered] = useState<Answer | undefined>()
  if (fetcher.data !== answered) {
    setAnswered(fetcher.data)
    if (fetcher.data?.ok) {
      setArrived(arrived + 1)
      setTried({ itemId, messageId: '' })
    }
  }
  const isPending = fetcher.state !== 'idle'
  const error = isTooLong ? TOO_LONG : isPending ? undefined : fetcher.data?.error
  const isUsable = viewer === 'guest' || viewer === 'customer'

  return (
    <section className={css.box} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Order Request</h2>
      <fetcher.Form
        method="post"
        action="/order-request"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const isOver = String(form.get('message')).length > MAX_MESSAGE
          setTooLong(isOver)
          if (isPending || isOver) return
          const messageId = (tried.itemId === itemId && tried.messageId) || newId15()
          setTried({ itemId, messageId })
          form.set('messageId', messageId)
          void fetcher.submit(form, { method: 'post', action: '/order-request' })
        }}
      >
        <BackField />
        <input type="hidden" name="itemId" value={itemId} />
        <div className="field">
          <label htmlFor={`${id}-text`}>Message</label>
          <p className="hint" id={`${id}-hint`}>
            {REQUEST_HINT}
          </p>
          <textarea
            // A new one, empty, for each message that arrived. Its text is the document's: what was typed before the script came stays.
            key={arrived}
            className="input"
            id={`${id}-text`}
            name="message"
            rows={4}
            aria-describedby={`${id}-hint ${id}-error`}
            aria-invalid={error !== undefined}
            disabled={!isUsable}
            readOnly={isPending}
            onInput={(event) => {
              setTooLong(event.currentTarget.value.length > MAX_MESSAGE)
              setTried({ itemId, messageId: '' })
            }}
          />
          <p className="error" id={`${id}-error`} role="alert">
            {error}
          </p>
        </div>
        {viewer === 'visitor' ? (
          <Link className="button" to="/login/">
            Please Login to Order
          </Link>
        ) : viewer === 'admin' ? (
          <p className="soft">This is your own shop: your customers ask for the item here.</p>
        ) : (
          <button className="button" disabled={isPending} aria-busy={isPending}>
            {isPending ? 'Sending…' : 'Submit'}
          </button>
        )}
      </fetcher.Form>
    </section>
  )
}
