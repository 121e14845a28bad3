import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Form } from 'react-router'
import { SendHorizontal } from '#app/ui/icons.tsx'
import { newId15 } from '#app/platform/ids.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { MAX_MESSAGE, TOO_LONG } from '#app/features/orders/order.ts'
import { keepDraft, readDraft } from '#app/platform/request-draft.ts'
import css from './chat.module.css'

export type Refused = { message: string; error?: string }
export type ComposerProps = {
  viewerId: string
  orderId: string
  action: string
  /** why nobody may write here; shown in the box */
  closedText: string | null
  /** a text that came back refused, without script */
  refused?: Refused | null
  /** false: not now, the text stays */
  send: (message: string) => boolean
  children?: ReactNode
}

/** S-172 (milliseconds): an empty message so soon after another is the second half of a double press. */
const DOUBLE_PRESS = 1000

/** A keyboard on glass has no Shift+Enter. */
const hasOwnKeys = () => matchMedia('(hover: hover), (pointer: fine)').matches
/** While a word is still being put together Enter only ends it; Safari says so by the number alone. */
const isComposing = ({ nativeEvent }: KeyboardEvent) => nativeEvent.isComposing || nativeEvent.keyCode === 229

/** CHAT-04, CHAT-05, CHAT-07, MSG-12, MSG-13, MSG-17, S-171, S-172 */
export function Composer({ viewerId, orderId, action, closedText, refused, send, children }: ComposerProps) {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const lastSent = useRef(0)
  const [isTooLong, setTooLong] = useState(false)
  // Without script the form carries an id too: pressed twice, it arrives once.
  const [formId] = useState(newId15)
  const isClosed = closedText !== null

  // The browser's storage is outside React, and only the browser has it. A closed box says why; the text waits for it to open again.
  useLayoutEffect(() => {
    if (isClosed) return
    if (box.current!.value === '') box.current!.value = readDraft(viewerId, orderId)
    // What was typed before the script came has been kept by nobody yet.
    else keepDraft(viewerId, orderId, box.current!.value)
    setTooLong(box.current!.value.length > MAX_MESSAGE)
  }, [viewerId, orderId, isClosed])

  function submit() {
    const { value: message } = box.current!
    setTooLong(message.length > MAX_MESSAGE)
    if (isClosed || message.length > MAX_MESSAGE) return
    if (message === '' && performance.now() - lastSent.current < DOUBLE_PRESS) return
    if (!send(message)) return
    lastSent.current = performance.now()
    box.current!.value = ''
    keepDraft(viewerId, orderId, '')
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
      <BackField />
      <input type="hidden" name="intent" value="send" />
      <input type="hidden" name="writer" value={viewerId} />
      <input type="hidden" name="messageId" value={formId} suppressHydrationWarning />
      {children}
      <label className="unseen" htmlFor={`${id}-text`}>
        Message
      </label>
      <textarea
        key={String(isClosed)}
        ref={box}
        className={`input ${css.composerText}`}
        id={`${id}-text`}
        name="message"
        dir="auto"
        rows={2}
        placeholder={closedText ?? 'Write a message'}
        disabled={isClosed}
        aria-invalid={isTooLong}
        aria-describedby={`${id}-error`}
        defaultValue={refused?.message}
        onInput={(event) => {
          const { value } = event.currentTarget
          keepDraft(viewerId, orderId, value)
          setTooLong(value.length > MAX_MESSAGE)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event) || !hasOwnKeys()) return
          event.preventDefault()
          if (!event.repeat) submit()
        }}
      />
      <button className={`button ${css.send}`} disabled={isClosed}>
        <SendHorizontal size={20} aria-hidden /> Send
      </button>
      <p className={`error ${css.error}`} id={`${id}-error`} role="alert">
        {isTooLong ? TOO_LONG : refused?.error}
      </p>
    </Form>
  )
}
