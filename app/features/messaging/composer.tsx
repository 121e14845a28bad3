import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Form } from 'react-router'
import { SendHorizontal } from '#app/ui/icons.tsx'
import { newId15 } from '#app/lib/text/ids.ts'
import { RedirectToField } from '#app/ui/redirect-field.tsx'
import { MAX_MESSAGE_LENGTH } from '#app/features/orders/order.ts'
import { messageTexts } from '#app/features/orders/texts.ts'
import { saveDraft, useStoredDraft } from '#app/client/drafts.ts'
import { chatTexts } from './texts.ts'
import css from './chat.module.css'

export type RefusedMessage = { message: string; error?: string }
export type ComposerProps = {
  viewerId: string
  orderId: string
  action: string
  /** the text that the disabled message field shows; null while the field is enabled */
  closedText: string | null
  /** a text that the server refused when the form was sent without JavaScript */
  refused?: RefusedMessage | null
  /** returns false if the message must stay in the message field */
  send: (message: string) => boolean
  /** the sequence number of the newest message that the page shows */
  seen: number
  children?: ReactNode
}

/** A double click sends a message and then an empty message. The page ignores an empty message within this number of milliseconds after another message. [S-172] */
const DOUBLE_CLICK_MS = 1000

/** Returns true if the device has a mouse, and so probably a keyboard. Without a keyboard there is no Shift+Enter, so Enter adds a line. */
const hasKeyboard = () => matchMedia('(hover: hover), (pointer: fine)').matches
/** While an input method composes a word, Enter only confirms the word. In Safari, only the key code shows that Enter confirms a word. */
const isComposing = ({ nativeEvent }: KeyboardEvent) =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229

export function Composer({
  viewerId,
  orderId,
  action,
  closedText,
  refused,
  send,
  seen,
  children,
}: ComposerProps) {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const lastSent = useRef(-Infinity)
  const [isTooLong, setTooLong] = useState(false)
  // The form contains a message id, so that the server stores a message once if the form is sent twice without JavaScript.
  const [formId] = useState(newId15)
  const isClosed = closedText !== null

  // In a closed order, the message field stays empty and the browser keeps the stored draft.
  useStoredDraft(box, isClosed ? null : viewerId, orderId)
  useLayoutEffect(
    () => setTooLong(box.current!.value.length > MAX_MESSAGE_LENGTH),
    [viewerId, orderId, isClosed],
  )

  function submit() {
    const { value: message } = box.current!
    setTooLong(message.length > MAX_MESSAGE_LENGTH)
    if (isClosed || message.length > MAX_MESSAGE_LENGTH) return
    if (message === '' && performance.now() - lastSent.current < DOUBLE_CLICK_MS) return
    if (!send(message)) return
    lastSent.current = performance.now()
    box.current!.value = ''
    saveDraft(viewerId, orderId, '')
    box.current!.focus()
  }

  return (
    <Form
      className={`stack anchor ${css.form}`}
      method="post"
      action={action}
      encType="multipart/form-data"
      data-queued
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <RedirectToField />
      <input
        type="hidden"
        name="intent"
        value="send"
      />
      <input
        type="hidden"
        name="writer"
        value={viewerId}
      />
      <input
        type="hidden"
        name="seen"
        value={seen}
      />
      <input
        type="hidden"
        name="messageId"
        value={formId}
        suppressHydrationWarning
      />
      {children}
      <label
        className="visually-hidden"
        htmlFor={`${id}-text`}
      >
        {chatTexts.message}
      </label>
      <textarea
        key={String(isClosed)}
        ref={box}
        className={`input ${css.composerText}`}
        id={`${id}-text`}
        name="message"
        dir="auto"
        rows={2}
        placeholder={closedText ?? chatTexts.placeholder}
        disabled={isClosed}
        aria-invalid={isTooLong}
        aria-describedby={`${id}-error`}
        defaultValue={refused?.message}
        onInput={(event) => {
          const { value } = event.currentTarget
          saveDraft(viewerId, orderId, value)
          setTooLong(value.length > MAX_MESSAGE_LENGTH)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event) || !hasKeyboard())
            return
          event.preventDefault()
          // Only the button sends an empty message, not the Enter key. [S-172]
          if (!event.repeat && box.current!.value !== '') submit()
        }}
      />
      <button
        className={`button ${css.send}`}
        disabled={isClosed}
      >
        <SendHorizontal
          size={20}
          aria-hidden
        />{' '}
        {chatTexts.send}
      </button>
      <p
        className={`error ${css.error}`}
        id={`${id}-error`}
        role="alert"
      >
        {isTooLong ? messageTexts.tooLong : refused?.error}
      </p>
    </Form>
  )
}
