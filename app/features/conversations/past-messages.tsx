/** A page of earlier messages at an address of its own: to read, and from there to the newest. */
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { ArrowDown } from 'lucide-react'
import { withoutBefore } from './message-address.ts'
import { MessageLog, type LogProps } from './message-log.tsx'
import chatCss from './chat.module.css'
import css from './message-log.module.css'

/** S-164: where the newest is not in sight nobody writes. */
export function PastMessages(log: LogProps) {
  const { search } = useLocation()
  // The focus is the document's: the link that had it is gone, the newest messages are in its place.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <div className={chatCss.chat}>
      <MessageLog {...log} />
      <p className={css.later}>
        <Link className="button quiet" to={{ search: withoutBefore(search) }} replace preventScrollReset>
          <ArrowDown size={18} aria-hidden /> Newest messages
        </Link>
      </p>
    </div>
  )
}
