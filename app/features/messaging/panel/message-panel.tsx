import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { Link, useFetcher, useLocation, useNavigate, useNavigation } from 'react-router'
import { X } from '#ui/icons.tsx'
import { NotificationsButton } from '../notifications/notification-settings.tsx'
import { NextSteps } from '#offers/next-steps.tsx'
import { awayText } from '#settings/texts.ts'
import type { VacationNotice } from '#settings/vacation.server.ts'
import { GuestNote } from '#conversation/guest-note.tsx'
import { Chat } from '../chat/chat.tsx'
import { isPanelOpen, withoutPanel } from '#ui/message-panel-url.ts'
import { useFocusAfterRemoval } from '#ui/use-focus-after-removal.ts'
import type { Conversation } from '../messages.server.ts'
import { messagePanelTexts as texts } from '../texts.ts'
import css from './message-panel.module.css'

type MessagePanelProps = {
  userId: string
  ownerName: string
  conversation: Conversation | null
  away: VacationNotice | null
  isGuest: boolean
}
const noMessages = { messages: [], hasEarlier: false, hasLater: false, readReceipts: [] }

const isOverPanel = ({ target, currentTarget }: KeyboardEvent) =>
  (target instanceof Element && target.closest('dialog') !== null) ||
  currentTarget.querySelector(':popover-open') !== null

const setPageInert = (isInert: boolean) =>
  document
    .querySelectorAll<HTMLElement>('body > :is(.skip, header, main, footer)')
    .forEach((part) => (part.inert = isInert))

/** The panel hides at once, while the page without it still loads. [CHAT-01] */
export function MessagePanel(props: MessagePanelProps) {
  const { location: coming, formMethod } = useNavigation()
  return coming && !formMethod && !isPanelOpen(coming.search) ? null : <Panel {...props} />
}

function Panel({ userId, ownerName, conversation, away, isGuest }: MessagePanelProps) {
  const panel = useRef<HTMLElement>(null)
  const location = useLocation()
  const navigate = useNavigate()
  const closed = { pathname: location.pathname, search: withoutPanel(location.search) }
  useFocusAfterRemoval()
  usePanelFocus(panel)
  useInertPage(location.pathname)
  const markRead = useMarkRead(panel, conversation)

  return (
    <>
      <Link
        className={css.scrim}
        to={closed}
        replace
        preventScrollReset
        aria-hidden
        tabIndex={-1}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles events
          that bubble up from its controls */}
      <aside
        ref={panel}
        className={`flex flex-col ${css.panel}`}
        aria-labelledby="messages-title"
        tabIndex={-1}
        onFocus={markRead}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !isOverPanel(event)) {
            void navigate(closed, { replace: true, preventScrollReset: true })
          }
        }}
      >
        <header className={`border-b ${css.head}`}>
          <h2 id="messages-title">{texts.title}</h2>
          <p className="text-soft">{texts.with(ownerName)}</p>
          <NotificationsButton />
          <Link
            className="icon-button"
            to={closed}
            replace
            preventScrollReset
            aria-label={texts.close}
          >
            <X />
          </Link>
        </header>
        {away && (
          <p className={`text-sm m-0 flex-none border-b bg-raised ${css.awayNote}`}>
            <strong>{awayText(ownerName, away.until)}</strong> {away.text}
          </p>
        )}
        {isGuest && <GuestNote className={`flex-none border-b bg-raised ${css.awayNote}`} />}
        {conversation && <NextSteps messages={conversation.messages} />}
        <Chat
          page={conversation ?? noMessages}
          orderId={userId}
          viewerId={userId}
          otherName={ownerName}
          emptyText={texts.empty}
          action="/messages"
          closedText={null}
        />
        {conversation?.isClosed && (
          <p className={`text-soft text-sm m-0 ${css.note}`}>{texts.closed}</p>
        )}
      </aside>
    </>
  )
}

function usePanelFocus(panel: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const before = document.activeElement
    if (!panel.current?.contains(before)) panel.current?.focus({ preventScroll: true })
    return () => {
      // An inert page cannot receive the focus.
      setPageInert(false)
      if (document.activeElement !== document.body) return
      const isKept = before instanceof HTMLElement && before !== document.body && before.isConnected
      const next = isKept ? before : document.getElementById('bell')
      next?.focus({ preventScroll: true })
    }
  }, [panel])
}

function useInertPage(pathname: string) {
  useEffect(() => {
    const phone = matchMedia('(max-width: 48.0613em)')
    const update = () => setPageInert(phone.matches)
    update()
    phone.addEventListener('change', update)
    return () => phone.removeEventListener('change', update)
  }, [pathname])
}

function useMarkRead(panel: RefObject<HTMLElement | null>, conversation: Conversation | null) {
  const { state, submit } = useFetcher()
  const { unread = 0, lastSeq = 0 } = conversation ?? {}
  function markRead() {
    if (unread === 0 || state !== 'idle') return
    void submit({ intent: 'read', seq: lastSeq }, { method: 'post', action: '/messages' })
  }
  useEffect(() => {
    if (panel.current?.contains(document.activeElement) && document.hasFocus()) markRead()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a newer message runs this effect
  }, [lastSeq])
  return markRead
}
