import { href, Link, useFetcher, useLocation, useNavigationType } from 'react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { newId15 } from '#app/lib/text/ids.ts'
import { colorName } from '#app/features/catalog/catalog.ts'
import { loginPath } from '#app/ui/link-props.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { RedirectToField } from '#app/ui/redirect-field.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { withPanel } from '#app/ui/message-panel-url.ts'
import { type RequestState, MAX_MESSAGE_LENGTH } from './order.ts'
import { messageTexts, requestStateTexts, requestTexts } from './texts.ts'
import css from './order-request-form.module.css'
import { checkConnectivity, connectivity } from '#app/client/connectivity.ts'
import { saveDraft, onDraftsDeleted, useStoredDraft } from '#app/client/drafts.ts'

type Props = {
  itemId: string
  viewer: 'visitor' | 'guest' | 'customer' | 'admin'
  /** the id of the user; null for a visitor without a login session */
  userId: string | null
  /** true if the user has no name yet, so that the form asks for one */
  asksName: boolean
  requestState: RequestState
  colors: readonly { id: string; name: string }[]
  /** the id of the color that is selected on the item page */
  colorId: string | null
}

const draftKey = (itemId: string) => `item ${itemId}`

/** This function is defined outside of the component. React would call a new ref function after each render, and would move the focus each time. */
const focus = (element: HTMLElement | null) => element?.focus()

export function OrderRequestForm({
  itemId,
  viewer,
  userId,
  asksName,
  requestState,
  colors,
  colorId,
}: Props) {
  const id = useId()
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const text = useRef<HTMLTextAreaElement>(null)
  const [isTooLong, setTooLong] = useState(false)
  // True if the customer pressed Submit while the browser was offline.
  const [isUnsent, setUnsent] = useState(false)
  const [arrived, setArrived] = useState(0)
  const [isSent, setSent] = useState(false)
  const { pathname, search, hash } = useLocation()
  const box = useRef<HTMLElement>(null)
  const isLinked = useNavigationType() !== 'POP' && hash === '#order-request'
  // The router cannot scroll to this form if the code of the form is loaded after the navigation.
  useEffect(() => {
    if (!isLinked) return
    box.current?.scrollIntoView()
    box.current?.focus({ preventScroll: true })
  }, [isLinked])
  // When the customer selects a color on the item page, the color field of the form changes too. If she chooses another color in this field, the item page does not change.
  const [selected, setSelected] = useState(colorId)
  const [color, setColor] = useState(colorId ?? '')
  if (selected !== colorId) {
    setSelected(colorId)
    if (colorId) setColor(colorId)
  }
  // If the customer sends the unchanged form again after an error, the message id stays the same, so that the text is stored only once. After the customer changes a field, or after a success, the next request gets a new message id.
  const [tried, setTried] = useState({ itemId, messageId: '' })
  const [answered, setAnswered] = useState<ActionResult | undefined>()
  if (fetcher.data !== answered) {
    setAnswered(fetcher.data)
    if (fetcher.data?.ok) {
      setArrived(arrived + 1)
      setTried({ itemId, messageId: '' })
      setSent(true)
    }
  }
  // Stores the id of the user who typed the text. The text stays when the login session expires, but disappears when the user logs out in any browser tab.
  const [writer, setWriter] = useState<string | null>(null)
  const [left, setLeft] = useState<string | null>(null)
  useEffect(() => onDraftsDeleted(() => setLeft(writer)), [writer])
  const isUsable = viewer === 'guest' || viewer === 'customer'
  if (isUsable && userId !== writer) {
    setWriter(userId)
    setSent(false)
  }
  useStoredDraft(text, writer, draftKey(itemId))
  useEffect(() => {
    if (writer && fetcher.data?.ok) saveDraft(writer, draftKey(itemId), '')
  }, [fetcher.data, writer, itemId])

  const isPending = fetcher.state !== 'idle'
  const { error: refusal, field = 'message' } = isPending ? {} : (fetcher.data ?? {})
  const error = isTooLong
    ? messageTexts.tooLong
    : isUnsent
      ? requestTexts.unsent
      : field === 'message'
        ? refusal
        : undefined
  const mustLogIn = viewer === 'visitor' || error === requestTexts.signedOut

  return (
    <section
      className={`card ${css.box}`}
      id="order-request"
      ref={box}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
    >
      <h2 id={`${id}-title`}>{requestTexts.title}</h2>
      {isSent && isUsable ? (
        <div className="stack">
          <p
            className="notice flush"
            tabIndex={-1}
            ref={focus}
          >
            {requestTexts.done}
          </p>
          <Link
            className="button"
            to={withPanel(search)}
            preventScrollReset
          >
            {requestTexts.conversation}
          </Link>
          <button
            type="button"
            className="button quiet"
            onClick={() => setSent(false)}
          >
            {requestTexts.another}
          </button>
        </div>
      ) : (
        <fetcher.Form
          method="post"
          action="/order-request"
          data-queued
          onInput={() => setTried({ itemId, messageId: '' })}
          onSubmit={(event) => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            const isOver = String(form.get('message')).length > MAX_MESSAGE_LENGTH
            setTooLong(isOver)
            if (isOver) return
            setUnsent(connectivity.isLost())
            if (connectivity.isLost()) {
              checkConnectivity()
              return showToast(requestTexts.failed)
            }
            const messageId = (tried.itemId === itemId && tried.messageId) || newId15()
            setTried({ itemId, messageId })
            form.set('messageId', messageId)
            void fetcher.submit(form, { method: 'post', action: '/order-request' })
          }}
        >
          <RedirectToField />
          <input
            type="hidden"
            name="itemId"
            value={itemId}
          />
          <input
            type="hidden"
            name="writer"
            value={writer ?? ''}
          />
          <OrderStateNote
            requestState={requestState}
            search={search}
            isShown={isUsable}
          />
          <p
            className="hint"
            id={`${id}-hint`}
          >
            {requestTexts.hint}
          </p>
          {isUsable && asksName && (
            <div className="field">
              <label htmlFor={`${id}-name`}>{requestTexts.name}</label>
              <input
                className="input"
                id={`${id}-name`}
                name="name"
                autoComplete="name"
                aria-describedby={`${id}-name-error`}
              />
              <p
                className="error"
                id={`${id}-name-error`}
                role="alert"
              >
                {field === 'name' && refusal}
              </p>
            </div>
          )}
          {isUsable && colors.length > 0 && (
            <div className="field">
              <label htmlFor={`${id}-color`}>{requestTexts.color}</label>
              <select
                className="input"
                id={`${id}-color`}
                name="color"
                value={color}
                onChange={(event) => setColor(event.target.value)}
                aria-describedby={`${id}-color-error`}
              >
                <option value="">{requestTexts.anyColor}</option>
                {colors.map((each) => (
                  <option
                    key={each.id}
                    value={each.id}
                  >
                    {colorName(each)}
                  </option>
                ))}
              </select>
              <p
                className="error"
                id={`${id}-color-error`}
                role="alert"
              >
                {field === 'color' && refusal}
              </p>
            </div>
          )}
          {isUsable || (writer !== null && writer !== left) ? (
            <div className="field">
              <label htmlFor={`${id}-text`}>{requestTexts.message}</label>
              <textarea
                // The key changes after each stored order request and when another user logs in, so that React renders an empty field.
                key={`${writer} ${left} ${arrived}`}
                ref={text}
                className="input"
                autoFocus={arrived > 0}
                id={`${id}-text`}
                name="message"
                rows={4}
                aria-describedby={`${id}-hint ${id}-error`}
                aria-invalid={error !== undefined}
                readOnly={isPending || !isUsable}
                onInput={({ currentTarget: { value } }) => {
                  setTooLong(value.length > MAX_MESSAGE_LENGTH)
                  if (writer) saveDraft(writer, draftKey(itemId), value)
                }}
              />
              <p
                className="error"
                id={`${id}-error`}
                role="alert"
              >
                {error}
              </p>
            </div>
          ) : null}
          {viewer === 'admin' ? (
            <p className="soft">
              {requestTexts.owner}
              <Link to={href('/manage/item/:itemid?', { itemid: itemId })}>
                {requestTexts.edit}
              </Link>
            </p>
          ) : mustLogIn ? (
            <Link
              className="button"
              to={`${loginPath(pathname + (color && `?color=${color}`))}&order`}
            >
              {requestTexts.logIn}
            </Link>
          ) : (
            <button
              className="button"
              aria-disabled={isPending}
              aria-busy={isPending}
            >
              {isPending ? requestTexts.sending : requestTexts.submit}
            </button>
          )}
        </fetcher.Form>
      )}
    </section>
  )
}

/** Tells the customer that her order contains the item already, or that an order request reopens her closed order. [ITEM-28, S-069] */
function OrderStateNote({
  requestState,
  search,
  isShown,
}: {
  requestState: RequestState
  search: string
  isShown: boolean
}) {
  if (!isShown || requestState === 'new') return null
  return (
    <p className={`notice ${css.note}`}>
      {requestStateTexts[requestState]}
      <Link
        to={withPanel(search)}
        preventScrollReset
      >
        {requestStateTexts.link}
      </Link>
      {requestStateTexts.after}
    </p>
  )
}
