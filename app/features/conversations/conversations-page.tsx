/** The owner's messages: her customers on the left, the chosen conversation on the right. */
import { useId, useState } from 'react'
import { Form, useFetcher, useParams } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { AlertsButton } from '#app/features/alerts/alerts-button.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { Refused } from './chat.tsx'
import { ConversationList } from './conversation-list.tsx'
import type { ConversationList as ConversationsShown } from './conversation-search.ts'
import { ConversationView } from './conversation-view.tsx'
import type { Conversation } from '#app/features/orders/order.ts'
import type { OrderLine } from '#app/features/orders/order-items.server.ts'
import css from './conversations-page.module.css'

type Props = {
  list: ConversationsShown
  conversation: Conversation | null
  items: OrderLine[]
  timeZone: string
  viewerId: string
  refused: Refused | null
}

/** MSG-01 to MSG-05, ROLES-22 */
export function ConversationsPage({ list, conversation, items, timeZone, viewerId, refused }: Props) {
  const listId = useId()
  // Lives here, above the conversation, so that the text of its deletion outlives it.
  const acting = useFetcher<Answer>()
  useAnswerToasts(acting.data)
  // On a phone: the list stands alone until a conversation is chosen, or the button asks for the other of the two.
  const here = conversation?.id ?? ''
  const [asked, setAsked] = useState({ at: here, isListShown: conversation === null })
  // An empty list has nothing to say on a phone; the words beside it have.
  const hasList = list.counts.all > 0
  // A customer who leaves takes it along, and a guest who moves into an account, perhaps while it is read.
  const isGone = useParams().orderid !== undefined && conversation === null
  const isListShown = hasList && (asked.at === here ? asked.isListShown : conversation === null)

  return (
    <main className={`page ${css.page}`} id="main">
      <header className={css.head}>
        <h1>Messages</h1>
        <AlertsButton />
        {/* Without script the list is the page without a conversation. */}
        <Form action="/manage/messages/" className={css.select}>
          <button
            className="button quiet"
            disabled={!hasList}
            aria-expanded={isListShown}
            aria-controls={listId}
            onClick={(event) => {
              event.preventDefault()
              setAsked({ at: here, isListShown: !isListShown })
            }}
          >
            Select Message
          </button>
        </Form>
      </header>
      <div className={`${css.screen} ${isListShown ? css.withList : ''}`}>
        <nav className={css.list} id={listId} aria-label="Conversations">
          <ConversationList list={list} chosenId={conversation?.id ?? null} timeZone={timeZone} viewerId={viewerId} />
        </nav>
        {conversation ? (
          <ConversationView
            key={conversation.id}
            conversation={conversation}
            items={items}
            timeZone={timeZone}
            viewerId={viewerId}
            refused={refused}
            acting={acting}
          />
        ) : (
          <p className={css.none}>
            {hasList
              ? `${isGone ? 'This conversation is not here any more. ' : ''}Choose a conversation from the list.`
              : 'Not a single knot here yet. When a customer writes, the conversation appears here.'}
          </p>
        )}
      </div>
    </main>
  )
}
