import { href, Link, useFetcher, useLocation } from 'react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { newId15 } from '#app/platform/ids.ts'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { withPanel } from '#app/ui/message-address.ts'
import { type Asked, MAX_MESSAGE, REQUEST_FAILED, REQUEST_SIGNED_OUT, TOO_LONG } from './order.ts'
import css from './order-request-box.module.css'
import { keepDraft, onForgotten, readDraft } from '#app/platform/request-draft.ts'

type Props = {
  itemId: string
  viewer: 'visitor' | 'guest' | 'customer' | 'admin'
  /** null: nobody is signed in */
  userId: string | null
  asked: Asked
}

const draftOf = (itemId: string) => `item ${itemId}`

const HINT = 'Please include where you want to be contacted back (eg. phone, email, or in app)'

/** ITEM-18 to ITEM-20, ITEM-31, S-072, S-073 */
export function OrderRequestBox({ itemId, viewer, userId, asked }: Props) {
  const id = useId()
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const text = useRef<HTMLTextAreaElement>(null)
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
  // Who began to write: her field stays, with its text, when her session ends meanwhile; it goes when she logs out, here or in another tab.
  const [writer, setWriter] = useState<string | null>(null)
  const [left, setLeft] = useState<string | null>(null)
  useEffect(() => onForgotten(() => setLeft(writer)), [writer])
  const isUsable = viewer === 'guest' || viewer === 'customer'
  if (isUsable && userId !== writer) setWriter(userId)
  // The storage is the browser's: a draft is taken up again, what was typed before the script came is kept, and both go when the request has arrived.
  useEffect(() => {
    if (!writer || !text.current) return
    if (text.current.value === '') text.current.value = readDraft(writer, draftOf(itemId))
    else keepDraft(writer, draftOf(itemId), text.current.value)
  }, [writer, itemId])
  useEffect(() => {
    if (writer && fetcher.data?.ok) keepDraft(writer, draftOf(itemId), '')
  }, [fetcher.data, writer, itemId])

  const isPending = fetcher.state !== 'idle'
  const error = isTooLong ? TOO_LONG : isPending ? undefined : fetcher.data?.error
  const mustLogIn = viewer === 'visitor' || error === REQUEST_SIGNED_OUT

  return (
    <section className={`card ${css.box}`} id="order-request" tabIndex={-1} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>Order Request</h2>
      <fetcher.Form
        method="post"
        action="/order-request"
        data-unsent={REQUEST_FAILED}
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const isOver = String(form.get('message')).length > MAX_MESSAGE
          setTooLong(isOver)
          if (isOver) return
          const messageId = (tried.itemId === itemId && tried.messageId) || newId15()
          setTried({ itemId, messageId })
          form.set('messageId', messageId)
          void fetcher.submit(form, { method: 'post', action: '/order-request' })
        }}
      >
        <BackField />
        <input type="hidden" name="itemId" value={itemId} />
        <input type="hidden" name="writer" value={writer ?? ''} />
        <Note asked={asked} isShown={isUsable} />
        <p className="hint" id={`${id}-hint`}>
          {HINT}
        </p>
        {isUsable || (writer !== null && writer !== left) ? (
          <div className="field">
            <label htmlFor={`${id}-text`}>Message</label>
            <textarea
              // A new one, empty, for each writer and for each message that arrived. Its text is the document's: what was typed before the script came stays.
              key={`${writer} ${left} ${arrived}`}
              ref={text}
              className="input"
              id={`${id}-text`}
              name="message"
              rows={4}
              aria-describedby={`${id}-hint ${id}-error`}
              aria-invalid={error !== undefined}
              readOnly={isPending || !isUsable}
              onInput={({ currentTarget: { value } }) => {
                setTooLong(value.length > MAX_MESSAGE)
                setTried({ itemId, messageId: '' })
                if (writer) keepDraft(writer, draftOf(itemId), value)
              }}
            />
            <p className="error" id={`${id}-error`} role="alert">
              {error}
            </p>
          </div>
        ) : null}
        {viewer === 'admin' ? (
          <p className="soft">
            This is your own shop: your customers ask for the item here.{' '}
            <Link to={href('/manage/item/:itemid?', { itemid: itemId })}>Edit this item</Link>
          </p>
        ) : mustLogIn ? (
          <Link className="button" to="/login/">
            Please Login to Order
          </Link>
        ) : (
          <button className="button" aria-disabled={isPending} aria-busy={isPending}>
            {isPending ? 'Sending…' : 'Submit'}
          </button>
        )}
      </fetcher.Form>
    </section>
  )
}

/** ITEM-28, S-069: what a new request does to the order that she has. */
function Note({ asked, isShown }: { asked: Asked; isShown: boolean }) {
  const { search } = useLocation()
  if (!isShown || asked === 'new') return null
  return (
    <p className={`notice ${css.note}`}>
      {asked === 'closed'
        ? 'Your last order is closed. A new request opens it again; '
        : 'This piece is in your order. What you write joins the conversation; '}
      <Link to={withPanel(search)} preventScrollReset>
        see your messages
      </Link>
      .
    </p>
  )
}
