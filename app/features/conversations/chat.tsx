/** A conversation with its box to write in; what has been sent shows at once. */
import { useRef, type ReactNode } from 'react'
import { useGivenFiles } from '#app/features/uploads/use-given-files.ts'
import { ComposerPictures } from './composer-pictures.tsx'
import { Composer, type Refused } from './composer.tsx'
import { MessageLog, type LogProps } from './message-log.tsx'
import { OutgoingMessages } from './outgoing-messages.tsx'
import { useChatPictures } from './use-chat-pictures.ts'
import { useOutgoing } from './use-outgoing.ts'
import css from './chat.module.css'

type Props = LogProps & {
  /** where the form goes without script */
  action: string
  /** why nobody may write here; shown in the box */
  closedText: string | null
  /** a text that came back refused, without script */
  refused?: Refused | null
  /** above the box to write in */
  tools?: ReactNode
}
export type { Refused }

/** CHAT-04, CHAT-05, CHAT-07, CHAT-14 */
export function Chat({ action, closedText, refused, tools, ...log }: Props) {
  const { viewerId, orderId } = log
  const frame = useRef<HTMLDivElement>(null)
  const { outgoing, send, retry, discard } = useOutgoing(viewerId, orderId, log.page.messages)
  const pictures = useChatPictures(viewerId, orderId, outgoing)
  const isClosed = closedText !== null
  const held = useGivenFiles(frame, (files) => isClosed || pictures.add(files))
  function sendNow(message: string) {
    const fields = pictures.take()
    if (!fields) return false
    send(message, fields)
    frame.current?.querySelector('[role=log]')?.scrollTo({ top: 0 })
    return true
  }

  return (
    <div className={css.chat} ref={frame} data-held={(!isClosed && held) || undefined}>
      <MessageLog {...log}>
        {outgoing.length > 0 && <OutgoingMessages {...{ outgoing, isClosed, retry, discard }} pictures={pictures.list} />}
      </MessageLog>
      <Composer {...{ viewerId, orderId, action, closedText, refused }} send={sendNow}>
        {tools}
        <ComposerPictures {...pictures} isClosed={isClosed} />
      </Composer>
      {!isClosed && held && <p className={css.drop}>Drop pictures here</p>}
    </div>
  )
}
