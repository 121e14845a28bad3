/** A page of earlier messages at an address of its own: to read, and from there to the newest. */
import { ArrowDown } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { withoutBefore } from './message-address.ts'
import { MessageLog, type LogProps } from './message-log.tsx'
import chatCss from './chat.module.css'
import css from './message-log.module.css'

/** S-164: where the newest is not in sight nobody writes. */
export function PastMessages(log: LogProps) {
  const { search } = useLocation()
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
