import { type FetcherWithComponents, href, Link, useFetcher, useSearchParams } from 'react-router'
import { useEffect, useRef, useState } from 'react'
import { MessageSquareText, Trash2 } from '#app/ui/icons.tsx'
import type { Answer } from '#app/ui/answer.ts'
import { useHasScript } from '#app/ui/back-field.tsx'
import { AskForm, HiddenFields } from '#app/ui/form-fields.tsx'
import { CLOSED, nameOf, NO_REPLY, whyNoReply } from '#app/features/orders/order.ts'
import type { OrderLine } from '#app/features/orders/orders.server.ts'
import { OrderPanel } from '#app/features/orders/order-panel.tsx'
import { photoOf } from '#app/ui/profile-photo.ts'
import { type Refused, Chat, PastMessages } from './chat.tsx'
import type { SavedReply } from './saved-replies/replies.action.server.ts'
import type { Conversation } from './conversations.server.ts'
import { readUpTo } from './message-log.tsx'
import css from './conversation-view.module.css'

export type ConversationViewProps = {
  conversation: Conversation
  items: OrderLine[]
  timeZone: string
  viewerId: string
  refused: Refused | null
  acting: FetcherWithComponents<Answer>
}
/** The rest of the address stays: what of the list is shown beside. */
function viewQuery(search: URLSearchParams, view: 'order' | null): string {
  const params = new URLSearchParams(search)
  params.delete('before')
  if (view) params.set('view', view)
  else params.delete('view')
  return params.size === 0 ? '' : `?${params.toString()}`
}

const closedTexts = { closed: CLOSED, 'no-reply': NO_REPLY }

/** MSG-03, MSG-04, MSG-08, MSG-09, MSG-12, MSG-13, MSG-16 to MSG-19, S-080, S-089 */
export function ConversationView({ conversation, items, timeZone, viewerId, refused, acting }: ConversationViewProps) {
  const { id, user, isClosed, fromContactPage, isAbandoned, unread, lastSeq } = conversation
  const [search] = useSearchParams()
  const isOrderShown = search.get('view') === 'order' && !fromContactPage
  const action = href('/manage/messages/:orderid?', { orderid: id })
  const refusal = whyNoReply(conversation)
  const isPending = acting.state !== 'idle'
  const log = {
    page: conversation,
    orderId: id,
    viewerId,
    otherName: nameOf(user),
    readUpTo: readUpTo(conversation.readMarks, viewerId),
    timeZone,
    emptyText: 'No messages yet.',
  }

  return (
    <section className={`column slim ${css.view}`} aria-labelledby="conversation-name" data-shows={isOrderShown ? 'order' : 'messages'}>
      <header className={`cluster ruled ${css.head}`}>
        <PersonPhoto photoURL={user.photoURL} />
        <div className={`slim ${css.who}`}>
          <h2 id="conversation-name">{nameOf(user)}</h2>
          {user.email && <p>{user.email}</p>}
        </div>
        {!fromContactPage && (
          <div className={`choices round ${css.toggle}`} role="group" aria-label="Show">
            <Link to={action + viewQuery(search, null)} replace preventScrollReset aria-current={isOrderShown ? undefined : 'true'}>
              Messages
            </Link>
            <Link to={action + viewQuery(search, 'order')} replace preventScrollReset aria-current={isOrderShown ? 'true' : undefined}>
              Order
            </Link>
          </div>
        )}
        <div className={`cluster ${css.acts}`}>
          <acting.Form method="post" action={action} className={css.read}>
            <HiddenFields seq={lastSeq} />
            <button className="button quiet" name="intent" value="read" aria-disabled={unread === 0 || isPending}>
              <span className={css.capital}>mark as read</span>
            </button>
          </acting.Form>
          {!fromContactPage && (
            <AskForm
              form={acting.Form}
              action={action}
              fields={{ intent: 'close' }}
              className={`button danger ${css.close}`}
              question="Close this order? Its messages and items stay."
              label="Close Order"
              isPending={isClosed || isPending}
            />
          )}
          <AskForm
            form={acting.Form}
            action={action}
            fields={{ intent: 'delete' }}
            question="Delete this conversation with all its messages?"
            label={<Trash2 size={20} aria-hidden />}
            ariaLabel="Delete conversation"
            isPending={isPending}
          />
        </div>
      </header>
      {fromContactPage && (
        <p className={`flush ruled ${css.note}`}>
          <a href={`mailto:${encodeURIComponent(user.email).replace('%40', '@')}`}>{user.email}</a> wrote from the contact page. Answer by
          e-mail, and delete this conversation when done.
        </p>
      )}
      {isAbandoned && <p className={`flush ruled ${css.note}`}>This account is gone: a reply here reaches nobody.</p>}
      {isOrderShown && <OrderPanel items={items} isClosed={isClosed} action={action} />}
      {/* Hidden, not gone, behind the order: what she has begun to write stays. */}
      <div className={css.messages} hidden={isOrderShown}>
        {conversation.hasLater ? (
          <PastMessages {...log} />
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

/** S-184; `name` is the customer's. It stands in the form of the box; without script she copies from the page of the replies. */
function SavedReplies({ name }: { name: string }) {
  const hasScript = useHasScript()
  const frame = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { load, data } = useFetcher<{ replies: SavedReply[] }>()

  // A press beside it closes it, like any menu.
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
    const [before, after] = [box.value.slice(0, box.selectionStart), box.value.slice(box.selectionEnd)]
    const inserted = insertReply(before, fillReply(text, name), after)
    box.value = inserted.text
    // The box keeps what is typed, and measures it, by this.
    box.dispatchEvent(new Event('input', { bubbles: true }))
    box.focus()
    box.setSelectionRange(inserted.cursor, inserted.cursor)
  }

  if (!hasScript) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape, for whoever is in it
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
      <button type="button" className={`choice ${css.opener}`} aria-expanded={isOpen} onClick={open}>
        <MessageSquareText size={18} aria-hidden /> Saved replies
      </button>
      {isOpen && (
        <div className={`card ${css.list}`}>
          {data && data.replies.length > 0 && (
            <ul role="list">
              {data.replies.map(({ id, title, text }) => (
                <li key={id}>
                  <button type="button" onClick={() => insert(text)}>
                    <strong>{title}</strong>
                    <span className="two-lines soft small">{text}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <p className={`small flush ${css.more}`}>
            {data?.replies.length === 0 && 'Nothing saved yet. '}
            <Link className="tap" to="/manage/replies/">
              {data?.replies.length === 0 ? 'Write the first reply' : 'Edit the replies'}
            </Link>
          </p>
        </div>
      )}
    </div>
  )
}

export function PersonPhoto({ photoURL }: { photoURL: string }) {
  return <img className="photo" src={photoOf(photoURL)} alt="" width={44} height={44} loading="lazy" decoding="async" />
}

/** S-184: the first name of whom it goes to stands for {name}; who has none is greeted without. */
export function fillReply(text: string, name: string): string {
  const first = name.trim().split(/\s+/)[0] ?? ''
  return first === '' ? text.replace(/ ?\{name\}/gi, '') : text.replace(/\{name\}/gi, () => first)
}

/** Between what stands before and after the cursor, on lines of its own where there are words already. */
export function insertReply(before: string, reply: string, after: string): { text: string; cursor: number } {
  const gap = before === '' || /\s$/.test(before) ? '' : '\n'
  const start = `${before}${gap}${reply}`
  return { text: `${start}${after === '' || /^\s/.test(after) ? '' : '\n'}${after}`, cursor: start.length }
}
