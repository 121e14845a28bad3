import { type FetcherWithComponents, href, Link, useFetcher, useSearchParams } from 'react-router'
import { useEffect, useRef, useState } from 'react'
import { MessageSquareText, Trash2 } from '#app/ui/icons.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { ConfirmForm, HiddenFields } from '#app/ui/form-fields.tsx'
import { customerName, replyBlockedReason } from '#app/features/orders/order.ts'
import { messageTexts } from '#app/features/orders/texts.ts'
import type { OrderLine } from '#app/features/orders/order-lines.server.ts'
import { OrderPanel } from '#app/features/orders/order-panel.tsx'
import { HoldForm } from '#app/features/holds/hold-form.tsx'
import type { HoldView } from '#app/features/holds/holds.server.ts'
import { photoOf } from '#app/ui/profile-photo.ts'
import { type RefusedMessage, Chat, MessageHistory } from './chat.tsx'
import type { SavedReply } from './saved-replies/messaging-settings.action.server.ts'
import type { Conversation } from './conversations.server.ts'
import { readUpTo } from './message-log.tsx'
import { conversationTexts as texts } from './owner-texts.ts'
import css from './conversation-view.module.css'

export type ConversationViewProps = {
  conversation: Conversation
  items: OrderLine[]
  hasAgreement: boolean
  holds: Record<string, HoldView>
  timeZone: string
  viewerId: string
  refused: RefusedMessage | null
  acting: FetcherWithComponents<ActionResult>
}
/** Returns the query of a link that opens or closes the order view. The query keeps the filter and the page of the conversation list. */
function viewQuery(search: URLSearchParams, view: 'order' | null): string {
  const params = new URLSearchParams(search)
  params.delete('before')
  if (view) params.set('view', view)
  else params.delete('view')
  return params.size === 0 ? '' : `?${params.toString()}`
}

const closedTexts = { closed: messageTexts.orderClosed, 'no-reply': messageTexts.noReply }

export function ConversationView({
  conversation,
  items,
  hasAgreement,
  holds,
  timeZone,
  viewerId,
  refused,
  acting,
}: ConversationViewProps) {
  const {
    id,
    user,
    phone,
    isEmailUnconfirmed,
    isClosed,
    fromContactPage,
    isAbandoned,
    unread,
    lastSeq,
  } = conversation
  const [search] = useSearchParams()
  const isOrderShown = search.get('view') === 'order' && !fromContactPage
  const action = href('/manage/messages/:orderid?', { orderid: id })
  // Nobody could read a message to a deleted account.
  const refusal = isAbandoned ? 'no-reply' : replyBlockedReason(conversation)
  const isPending = acting.state !== 'idle'
  const log = {
    page: conversation,
    orderId: id,
    viewerId,
    otherName: customerName(user),
    readUpTo: readUpTo(conversation.readReceipts, viewerId),
    timeZone,
    emptyText: texts.empty,
  }

  return (
    <section
      className={`column slim ${css.view}`}
      aria-labelledby="conversation-name"
      data-shows={isOrderShown ? 'order' : 'messages'}
      data-closed={isClosed || undefined}
    >
      <header className={`cluster ruled ${css.head}`}>
        <ProfilePhoto photoURL={user.photoURL} />
        <div className={`slim ${css.who}`}>
          <h2
            id="conversation-name"
            className="two-lines"
            dir="auto"
          >
            {customerName(user)}
          </h2>
          {user.email && <p>{texts.email(user.email, isEmailUnconfirmed)}</p>}
        </div>
        {!fromContactPage && (
          <div
            className={`choices round ${css.toggle}`}
            role="group"
            aria-label={texts.show}
          >
            <Link
              to={action + viewQuery(search, null)}
              replace
              preventScrollReset
              aria-current={isOrderShown ? undefined : 'true'}
            >
              {texts.messages}
            </Link>
            <Link
              to={action + viewQuery(search, 'order')}
              replace
              preventScrollReset
              aria-current={isOrderShown ? 'true' : undefined}
            >
              {texts.order}
            </Link>
          </div>
        )}
        <div className={`cluster ${css.acts}`}>
          <acting.Form
            method="post"
            action={action}
            className={css.read}
          >
            <HiddenFields seq={lastSeq} />
            <button
              className="button quiet"
              name="intent"
              value="read"
              aria-disabled={unread === 0 || isPending}
            >
              <span className={css.capital}>{texts.markAsRead}</span>
            </button>
          </acting.Form>
          {!fromContactPage &&
            (isClosed ? (
              <acting.Form
                method="post"
                action={action}
              >
                <HiddenFields />
                <button
                  className="button quiet"
                  name="intent"
                  value="reopen"
                  aria-disabled={isPending}
                >
                  {texts.reopen}
                </button>
              </acting.Form>
            ) : (
              <ConfirmForm
                form={acting.Form}
                action={action}
                fields={{ intent: 'close' }}
                className={`button danger ${css.close}`}
                question={texts.closeQuestion}
                label={texts.close}
                isPending={isPending}
              />
            ))}
          <ConfirmForm
            form={acting.Form}
            action={action}
            fields={{ intent: 'delete' }}
            question={hasAgreement ? texts.deleteAgreedQuestion : texts.deleteQuestion}
            label={
              <Trash2
                size={20}
                aria-hidden
              />
            }
            ariaLabel={texts.delete}
            isPending={isPending}
          />
        </div>
      </header>
      {fromContactPage && (
        <p className={`flush ruled ${css.note}`}>
          <a href={`mailto:${encodeURIComponent(user.email).replace('%40', '@')}`}>{user.email}</a>
          {texts.fromContactPage}
          {phone && (
            <>
              {texts.phone}
              <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
            </>
          )}
        </p>
      )}
      {isAbandoned && <p className={`flush ruled ${css.note}`}>{texts.accountDeleted}</p>}
      {isOrderShown && (
        <OrderPanel
          orderId={id}
          items={items}
          isClosed={isClosed}
          mayOffer={refusal === null}
          action={action}
        >
          {(item) => (
            <HoldForm
              item={item}
              hold={holds[item.id]}
              action={action}
            />
          )}
        </OrderPanel>
      )}
      {/* While the order is shown, the messages are hidden and not removed, so that the owner's draft stays in its field. */}
      <div
        className={css.messages}
        hidden={isOrderShown}
      >
        {conversation.hasLater ? (
          <MessageHistory {...log} />
        ) : (
          <Chat
            {...log}
            action={action}
            closedText={refusal && closedTexts[refusal]}
            refused={refused}
            tools={refusal === null && <SavedReplies name={user.name} />}
          />
        )}
      </div>
    </section>
  )
}

/** Lets the owner insert a saved reply. Without JavaScript this button is missing, and she copies replies from the settings page. `name` is the customer's name. [S-184] */
function SavedReplies({ name }: { name: string }) {
  const hasScript = useHydrated()
  const frame = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { load, data } = useFetcher<{ replies: SavedReply[] }>()

  // A click or the focus outside of the list of replies closes the list.
  useEffect(() => {
    if (!isOpen) return
    const close = ({ target }: Event) => {
      if (target instanceof Node && !frame.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('focusin', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('focusin', close)
    }
  }, [isOpen])

  function open() {
    if (!isOpen) void load('/manage/replies/')
    setOpen(!isOpen)
  }
  function insert(text: string) {
    setOpen(false)
    const box = frame.current?.closest('form')?.elements.namedItem('message')
    if (!(box instanceof HTMLTextAreaElement)) return
    const [before, after] = [
      box.value.slice(0, box.selectionStart),
      box.value.slice(box.selectionEnd),
    ]
    const inserted = insertReply(before, fillReply(text, name), after)
    box.value = inserted.text
    // The input event makes the message field store its text as a draft and adapt its height.
    box.dispatchEvent(new Event('input', { bubbles: true }))
    box.focus()
    box.setSelectionRange(inserted.cursor, inserted.cursor)
  }

  if (!hasScript) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the Escape key in the list closes the list
    <div
      className={`anchor ${css.frame}`}
      ref={frame}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        setOpen(false)
        frame.current?.querySelector('button')?.focus()
      }}
    >
      <button
        type="button"
        className={`choice ${css.opener}`}
        aria-expanded={isOpen}
        onClick={open}
      >
        <MessageSquareText
          size={18}
          aria-hidden
        />{' '}
        {texts.savedReplies}
      </button>
      {isOpen && (
        <div className={`card ${css.list}`}>
          {data && data.replies.length > 0 && (
            <ul role="list">
              {data.replies.map(({ id, title, text }) => (
                <li key={id}>
                  <button
                    type="button"
                    onClick={() => insert(text)}
                  >
                    <strong>{title}</strong>
                    <span className="two-lines soft small">{text}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <p className={`small flush ${css.more}`}>
            {data?.replies.length === 0 && texts.noReplies}
            <Link
              className="tap"
              to="/manage/replies/"
            >
              {data?.replies.length === 0 ? texts.firstReply : texts.editReplies}
            </Link>
          </p>
        </div>
      )}
    </div>
  )
}

export function ProfilePhoto({ photoURL }: { photoURL: string }) {
  return (
    <img
      className="photo"
      src={photoOf(photoURL)}
      alt=""
      width={44}
      height={44}
      loading="lazy"
      decoding="async"
    />
  )
}

/** Replaces {name} with the customer's first name. If the customer has no name, "Thank you, {name}!" becomes "Thank you!". [S-184] */
export function fillReply(text: string, name: string): string {
  const [first] = name.trim().split(/\s+/)
  if (first) return text.replace(/\{name\}/gi, () => first)
  return text
    .replace(/^\{name\}[,!]?[^\S\n]*(.?)/gimu, (_, next: string) => next.toUpperCase())
    .replace(/,?[^\S\n]*\{name\}/gi, '')
}

/** Inserts the reply at the cursor, on separate lines from any other text. */
export function insertReply(
  before: string,
  reply: string,
  after: string,
): { text: string; cursor: number } {
  const gap = before === '' || /\s$/.test(before) ? '' : '\n'
  const start = `${before}${gap}${reply}`
  return {
    text: `${start}${after === '' || /^\s/.test(after) ? '' : '\n'}${after}`,
    cursor: start.length,
  }
}
