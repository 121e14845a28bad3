/** What the writer sees of messages that are on their way or did not get through. */
import { NOT_SENT } from '#app/features/orders/order-texts.ts'
import type { ChatPicture } from './chat-pictures.ts'
import { namesOfPictures } from './message-pictures.ts'
import type { Outgoing } from './outgoing.ts'
import { OutgoingPictures } from './outgoing-pictures.tsx'
import css from './outgoing-messages.module.css'
import logCss from './message-log.module.css'

type Props = {
  outgoing: readonly Outgoing[]
  pictures: readonly ChatPicture[]
  /** nobody may write here any more */
  isClosed: boolean
  retry: (messageId: string) => void
  discard: (messageId: string) => void
}

/** CHAT-14, S-169: list items below the last message */
export function OutgoingMessages({ outgoing, pictures, isClosed, retry, discard }: Props) {
  return outgoing.map((one) => {
    const { messageId, message, state, error } = one
    const hasPictures = namesOfPictures(one.fields).length > 0
    return (
      <li key={messageId} className={logCss.own} data-sender="own">
        <span className="unseen">You: </span>
        <OutgoingPictures outgoing={one} pictures={pictures} />
        {(message !== '' || !hasPictures) && (
          <p className={logCss.text} dir="auto">
            {message || <em>(no text)</em>}
          </p>
        )}
        {state === 'failed' ? (
          <div className={css.failed}>
            <span>{error ?? NOT_SENT}</span>
            <span className={css.acts}>
              <button type="button" className={css.act} disabled={isClosed} onClick={() => retry(messageId)}>
                Try again
              </button>
              <button type="button" className={css.act} onClick={() => discard(messageId)}>
                Discard
              </button>
            </span>
          </div>
        ) : (
          <span className={logCss.time}>{state === 'sent' ? 'Sent' : 'Sending…'}</span>
        )}
      </li>
    )
  })
}
