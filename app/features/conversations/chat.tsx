/** A conversation with its box to write in; what has been sent shows at once. */
import { useId, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { SendHorizontal } from 'lucide-react'
import { newId15 } from '#app/platform/ids.ts'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { MessageLog } from './message-log.tsx'
import { MAX_MESSAGE, TOO_LONG, type Message } from '#app/features/orders/order.ts'
import { NOT_SENT } from '#app/features/orders/order-texts.ts'
import css from './chat.module.css'
import logCss from './message-log.module.css'

type Props = {
  messages: Message[]
  viewerId: string
  otherName: string
  timeZone: string
  /** where the form goes */
  action: string
  /** why nobody may write here; shown in the box */
  closedText: string | null
  emptyText: string
  /** a text that came back refused, without script */
  refused?: Refused | null
}
export type Refused = { message: string; error?: string }
/** What was begun and not sent, by reader and conversation: it is there again when she comes back. Browser only. */
const drafts = new Map<string, string>()

type Outgoing = { messageId: string; message: string }

/** CHAT-04, CHAT-05, CHAT-07, MSG-12, MSG-13, MSG-17 */
export function Chat({ messages, viewerId, otherName, timeZone, action, closedText, emptyText, refused }: Props) {
  const id = useId()
  const log = useRef<HTMLDivElement>(null)
  const fetcher = useFetcher<Answer>()
  // The text is the document's, so that what was typed before the script came is not lost.
  const draftKey = `${viewerId} ${action}`
  const box = useRef<HTMLTextAreaElement>(null)
  const [isTooLong, setTooLong] = useState(false)
  const [sent, setSent] = useState<Outgoing[]>([])
  const isPending = fetcher.state !== 'idle'
  const [last, setLast] = useState<{ messageId: string; answerBefore: Answer | undefined } | null>(null)
  // What has arrived is among the messages; between the answer and the fresh messages it still counts as on its way.
  const arrived = new Set(messages.map((message) => message.id))
  const outgoing = sent.filter((one) => !arrived.has(one.messageId))
  // Not failed before there is an answer: the form goes a moment after the bubble shows, and what it wrote is read a moment after that.
  const isOnItsWay = ({ messageId }: Outgoing) =>
    messageId === last?.messageId && (isPending || fetcher.data === last.answerBefore || fetcher.data?.ok === true)
  function submit(one: Outgoing) {
    setLast({ messageId: one.messageId, answerBefore: fetcher.data })
    void fetcher.submit({ intent: 'send', ...one }, { method: 'post', action })
  }
  function send() {
    const { value: message } = box.current!
    setTooLong(message.length > MAX_MESSAGE)
    if (outgoing.some(isOnItsWay) || isPending || message.length > MAX_MESSAGE) return
    const one = { messageId: newId15(), message }
    setSent([...outgoing, one])
    box.current!.value = ''
    drafts.delete(draftKey)
    submit(one)
    log.current?.querySelector('[role=log]')?.scrollTo({ top: 0 })
  }

  return (
    <div className={css.chat} ref={log}>
      <MessageLog messages={messages} viewerId={viewerId} otherName={otherName} timeZone={timeZone} emptyText={emptyText}>
        {outgoing.length > 0 &&
          outgoing.map((one) => {
            const isGoing = isOnItsWay(one)
            return (
              <li key={one.messageId} className={`${logCss.own} ${isGoing ? logCss.sending : ''}`} data-sender="own">
                <p className={logCss.text}>{one.message || <em>(no text)</em>}</p>
                {isGoing ? (
                  <span className={logCss.time}>Sending…</span>
                ) : (
                  <div className={logCss.failed}>
                    <span>{fetcher.data?.error ?? NOT_SENT}</span>
                    <button type="button" className={css.retry} disabled={isPending || closedText !== null} onClick={() => submit(one)}>
                      Try again
                    </button>
                  </div>
                )}
              </li>
            )
          })}
      </MessageLog>
      <fetcher.Form
        className={css.form}
        method="post"
        action={action}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <BackField />
        <input type="hidden" name="intent" value="send" />
        <label className="unseen" htmlFor={`${id}-text`}>
          Message
        </label>
        <textarea
          ref={box}
          className={`input ${css.text}`}
          id={`${id}-text`}
          name="message"
          rows={2}
          placeholder={closedText ?? 'Write a message'}
          disabled={closedText !== null}
          aria-invalid={isTooLong}
          aria-describedby={`${id}-error`}
          defaultValue={refused?.message ?? drafts.get(draftKey)}
          onInput={(event) => {
            drafts.set(draftKey, event.currentTarget.value)
            setTooLong(event.currentTarget.value.length > MAX_MESSAGE)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
        <button className="button" disabled={closedText !== null || isPending} aria-busy={isPending}>
          <SendHorizontal size={20} aria-hidden /> Send
        </button>
        <p className={`error ${css.error}`} id={`${id}-error`} role="alert">
          {isTooLong ? TOO_LONG : refused?.error}
        </p>
      </fetcher.Form>
    </div>
  )
}
