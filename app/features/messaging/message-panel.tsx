import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link, useFetcher, useLocation, useNavigate, useNavigation } from 'react-router'
import { X } from '#app/ui/icons.tsx'
import { AlertsButton } from '#app/features/messaging/notifications/alert-settings.tsx'
import type { Away } from '#app/features/messaging/vacation-notice/away.server.ts'
import { CLOSED, type MessagePage } from '#app/features/orders/order.ts'
import { Chat, PastMessages } from './chat.tsx'
import { isPanelOpen, withoutPanel } from '#app/ui/message-address.ts'
import type { Conversation } from './conversations.server.ts'
import { readUpTo } from './message-log.tsx'
import css from './message-panel.module.css'

type Props = { userId: string; ownerName: string; conversation: Conversation | null; timeZone: string; away: Away | null }
const noMessages: MessagePage = { messages: [], hasEarlier: false }

/** What has opened over the panel goes first: a picture that fills the screen, a sheet. */
const isOverPanel = ({ target, currentTarget }: KeyboardEvent) =>
  (target instanceof Element && target.closest('dialog') !== null) || currentTarget.querySelector(':popover-open') !== null

/** CHAT-01: it goes at once; the page below it may come slowly, or wait for the connection. */
export function MessagePanel(props: Props) {
  const { location: coming, formMethod } = useNavigation()
  return coming && !formMethod && !isPanelOpen(coming.search) ? null : <Panel {...props} />
}

/** CHAT-01, CHAT-10, NAV-22, S-078 */
function Panel({ userId, ownerName, conversation, timeZone, away }: Props) {
  const panel = useRef<HTMLElement>(null)
  const location = useLocation()
  const navigate = useNavigate()
  const reading = useFetcher()
  const closed = { pathname: location.pathname, search: withoutPanel(location.search) }
  const [unread, lastSeq] = [conversation?.unread ?? 0, conversation?.lastSeq ?? 0]
  const markRead = () => {
    if (unread > 0 && reading.state === 'idle')
      void reading.submit({ intent: 'read', seq: lastSeq }, { method: 'post', action: '/messages' })
  }
  const log = {
    page: conversation ?? noMessages,
    orderId: userId,
    viewerId: userId,
    otherName: ownerName,
    readUpTo: readUpTo(conversation?.readMarks ?? [], userId),
    timeZone,
    emptyText: 'No knots tied here yet. Ask about a piece, a color, a size: the answer comes to this place.',
  }

  // The focus is the document's: it comes in when the panel opens, and goes back when it closes.
  useEffect(() => {
    const before = document.activeElement
    if (!panel.current?.contains(before)) panel.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  // A message that arrives while she is in the panel is read like those before it.
  useEffect(() => {
    if (panel.current?.contains(document.activeElement) && document.hasFocus()) markRead()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a newer message is a reason
  }, [lastSeq])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears what bubbles up from the controls in it
    <aside
      ref={panel}
      className={`column ${css.panel}`}
      aria-labelledby="messages-title"
      tabIndex={-1}
      onFocus={markRead}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isOverPanel(event)) void navigate(closed, { replace: true, preventScrollReset: true })
      }}
    >
      <header className={`ruled ${css.head}`}>
        <h2 id="messages-title">Messages</h2>
        <p className="soft">with {ownerName}</p>
        <AlertsButton />
        <Link className="icon-button" to={closed} replace preventScrollReset aria-label="Close messages">
          <X aria-hidden />
        </Link>
      </header>
      {away && <AwayNote away={away} ownerName={ownerName} />}
      {conversation?.hasLater ? (
        <PastMessages {...log} />
      ) : (
        <Chat {...log} action="/messages" closedText={conversation?.isClosed ? CLOSED : null} />
      )}
      {conversation?.isClosed && <p className={`soft small flush ${css.note}`}>A new order request opens it again.</p>}
    </aside>
  )
}

const lineOf = (ownerName: string, until: string | null): string => `${ownerName} is away ${until ? `until ${until}` : 'for a while'}.`

const AwayNote = ({ away, ownerName }: { away: Away; ownerName: string }) => (
  <p className={`small flush rigid ruled raised ${css.awayNoteNote}`}>
    <strong>{lineOf(ownerName, away.until)}</strong> {away.text}
  </p>
)
