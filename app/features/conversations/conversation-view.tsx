/** One conversation before the owner: its messages or its order, and what she may do with it. */
import { href, Link, useSearchParams, type FetcherWithComponents } from 'react-router'
import { Trash2 } from 'lucide-react'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/ask.tsx'
import { BackField } from '#app/ui/back-field.tsx'
import { Chat, type Refused } from './chat.tsx'
import { CLOSED, nameOf, NO_REPLY, whyNoReply, type Conversation } from '#app/features/orders/order.ts'
import type { OrderLine } from '#app/features/orders/order-items.server.ts'
import { OrderPanel } from '#app/features/orders/order-panel.tsx'
import { PastMessages } from './past-messages.tsx'
import { SavedReplies } from '#app/features/saved-replies/saved-replies.tsx'
import { PersonPhoto } from './person-photo.tsx'
import { readUpTo } from './read-up-to.ts'
import css from './conversation-view.module.css'

type Props = {
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
export function ConversationView({ conversation, items, timeZone, viewerId, refused, acting }: Props) {
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
    <section className={css.view} aria-labelledby="conversation-name" data-shows={isOrderShown ? 'order' : 'messages'}>
      <header className={css.head}>
        <PersonPhoto photoURL={user.photoURL} />
        <div className={css.who}>
          <h2 id="conversation-name">{nameOf(user)}</h2>
          {user.email && <p>{user.email}</p>}
        </div>
        {!fromContactPage && (
          <div className={css.toggle} role="group" aria-label="Show">
            <Link to={action + viewQuery(search, null)} replace preventScrollReset aria-current={isOrderShown ? undefined : 'true'}>
              Messages
            </Link>
            <Link to={action + viewQuery(search, 'order')} replace preventScrollReset aria-current={isOrderShown ? 'true' : undefined}>
              Order
            </Link>
          </div>
        )}
        <div className={css.acts}>
          <acting.Form method="post" action={action} className={css.read}>
            <BackField />
            <input type="hidden" name="seq" value={lastSeq} />
            <button className="button quiet" name="intent" value="read" aria-disabled={unread === 0 || isPending}>
              <span className={css.capital}>mark as read</span>
            </button>
          </acting.Form>
          {!fromContactPage && (
            <Ask
              className={`button danger ${css.close}`}
              question="Close this order? Its messages and items stay."
              label="Close Order"
              isPending={isClosed || isPending}
            >
              {(yesNo) => (
                <acting.Form method="post" action={action}>
                  <BackField />
                  <input type="hidden" name="intent" value="close" />
                  {yesNo}
                </acting.Form>
              )}
            </Ask>
          )}
          <Ask
            question="Delete this conversation with all its messages?"
            label={<Trash2 size={20} aria-hidden />}
            ariaLabel="Delete conversation"
            isPending={isPending}
          >
            {(yesNo) => (
              <acting.Form method="post" action={action}>
                <BackField />
                <input type="hidden" name="intent" value="delete" />
                {yesNo}
              </acting.Form>
            )}
          </Ask>
        </div>
      </header>
      {fromContactPage && (
        <p className={css.note}>
          <a href={`mailto:${encodeURIComponent(user.email).replace('%40', '@')}`}>{user.email}</a> wrote from the contact page. Answer by
          e-mail, and delete this conversation when done.
        </p>
      )}
      {isAbandoned && <p className={css.note}>This account is gone: a reply here reaches nobody.</p>}
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
