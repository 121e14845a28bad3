import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link, useFetcher, useLocation, useNavigate, useNavigation } from 'react-router'
import { X } from '#app/ui/icons.tsx'
import { NotificationsButton } from '#app/features/messaging/notifications/notification-settings.tsx'
import type { VacationNotice } from '#app/features/messaging/vacation-notice/vacation.server.ts'
import type { MessagePage } from '#app/features/orders/order.ts'
import { Chat, MessageHistory } from './chat.tsx'
import { isPanelOpen, withoutPanel } from '#app/ui/message-panel-url.ts'
import { useFocusAfterRemoval } from '#app/ui/use-focus-after-removal.ts'
import type { Conversation } from './conversations.server.ts'
import { readUpTo } from './message-log.tsx'
import { messagePanelTexts as texts } from './texts.ts'
import css from './message-panel.module.css'

type Props = {
  userId: string
  ownerName: string
  conversation: Conversation | null
  timeZone: string
  away: VacationNotice | null
}
const noMessages: MessagePage = { messages: [], hasEarlier: false }

/** Returns true if a zoomed image or a popover is open over the panel. Escape then closes the image or popover, not the panel. */
const isOverPanel = ({ target, currentTarget }: KeyboardEvent) =>
  (target instanceof Element && target.closest('dialog') !== null) ||
  currentTarget.querySelector(':popover-open') !== null

/** Sets whether the page behind the panel is inert. On a phone, the panel covers this page. */
const setPageInert = (isInert: boolean) =>
  document
    .querySelectorAll<HTMLElement>('body > :is(.skip, header, main, footer)')
    .forEach((part) => (part.inert = isInert))

/** Hides the panel as soon as the user closes it, although the page without the panel is still loading. [CHAT-01] */
export function MessagePanel(props: Props) {
  const { location: coming, formMethod } = useNavigation()
  return coming && !formMethod && !isPanelOpen(coming.search) ? null : <Panel {...props} />
}

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
    readUpTo: readUpTo(conversation?.readReceipts ?? [], userId),
    timeZone,
    emptyText: texts.empty,
  }

  useFocusAfterRemoval()
  // The focus moves into the panel when the panel opens. If it is still there when the panel closes, it moves back to the previous element, or to the bell if the page was loaded with the open panel.
  useEffect(() => {
    const before = document.activeElement
    if (!panel.current?.contains(before)) panel.current?.focus({ preventScroll: true })
    return () => {
      // An element of an inert page cannot receive the focus.
      setPageInert(false)
      if (document.activeElement !== document.body) return
      const isKept = before instanceof HTMLElement && before !== document.body && before.isConnected
      const next = isKept ? before : document.getElementById('bell')
      next?.focus({ preventScroll: true })
    }
  }, [])
  // Runs again when another page appears behind the panel.
  useEffect(() => {
    const phone = matchMedia('(max-width: 48.0613em)')
    const update = () => setPageInert(phone.matches)
    update()
    phone.addEventListener('change', update)
    return () => phone.removeEventListener('change', update)
  }, [location.pathname])
  // A message that arrives counts as read if the panel has the focus and the window is active.
  useEffect(() => {
    if (panel.current?.contains(document.activeElement) && document.hasFocus()) markRead()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a newer message runs this effect
  }, [lastSeq])

  return (
    <>
      {/* On a phone this link covers the page above the panel, and a tap on the link closes the panel. */}
      <Link
        className={css.scrim}
        to={closed}
        replace
        preventScrollReset
        aria-hidden
        tabIndex={-1}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles events that bubble up from its controls */}
      <aside
        ref={panel}
        className={`column ${css.panel}`}
        aria-labelledby="messages-title"
        tabIndex={-1}
        onFocus={markRead}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isOverPanel(event))
            void navigate(closed, { replace: true, preventScrollReset: true })
        }}
      >
        <header className={`ruled ${css.head}`}>
          <h2 id="messages-title">{texts.title}</h2>
          <p className="soft">{texts.with(ownerName)}</p>
          <NotificationsButton />
          <Link
            className="icon-button"
            to={closed}
            replace
            preventScrollReset
            aria-label={texts.close}
          >
            <X aria-hidden />
          </Link>
        </header>
        {away && (
          <VacationNote
            away={away}
            ownerName={ownerName}
          />
        )}
        {conversation?.hasLater ? (
          <MessageHistory {...log} />
        ) : (
          <Chat
            {...log}
            action="/messages"
            closedText={null}
          />
        )}
        {conversation?.isClosed && <p className={`soft small flush ${css.note}`}>{texts.closed}</p>}
      </aside>
    </>
  )
}

const VacationNote = ({ away, ownerName }: { away: VacationNotice; ownerName: string }) => (
  <p className={`small flush rigid ruled raised ${css.awayNoteNote}`}>
    <strong>{texts.away(ownerName, away.until)}</strong> {away.text}
  </p>
)
