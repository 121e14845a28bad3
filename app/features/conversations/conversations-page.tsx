/** The owner's messages: her customers on the left, the chosen conversation on the right. */
import { useId, useState } from 'react'
import { Form, useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { AlertsButton } from '#app/features/alerts/alerts-button.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { Refused } from './chat.tsx'
import { ConversationList } from './conversation-list.tsx'
import { ConversationView } from './conversation-view.tsx'
import type { Conversation, ConversationLine } from '#app/features/orders/order.ts'
import type { OrderLine } from '#app/features/orders/order-items.server.ts'
import css from './conversations-page.module.css'

type Props = {
  lines: ConversationLine[]
  conversation: Conversation | null
  items: OrderLine[]
  timeZone: string
  viewerId: string
  refused: Refused | null
}

/** MSG-01 to MSG-05, ROLES-22 */
export function ConversationsPage({ lines, conversation, items, timeZone, viewerId, refused }: Props) {
  const listId = useId()
  // Lives here, above the conversation, so that the text of its deletion outlives it.
  const acting = useFetcher<Answer>()
  useAnswerToasts(acting.data)
  const [isListShown, setListShown] = useState(conversation === null)
  // An empty list has nothing to say on a phone; the words beside it have.
  const hasList = lines.length > 0

  return (
    <main className={`page ${css.page}`} id="main">
      <header className={css.head}>
        <h1>Messages</h1>
        <AlertsButton />
        {/* Without script the list is the page without a conversation. */}
        <Form action="/manage/messages/" className={css.select}>
          <button
            className="button quiet"
            aria-expanded={isListShown && hasList}
            aria-controls={listId}
            onClick={(event) => {
              event.preventDefault()
              setListShown(!isListShown)
            }}
          >
            Select Message
          </button>
        </Form>
      </header>
      <div className={`${css.screen} ${isListShown && hasList ? css.withList : ''}`}>
        <nav className={css.list} id={listId} aria-label="Conversations">
          <ConversationList lines={lines} chosenId={conversation?.id ?? null} timeZone={timeZone} viewerId={viewerId} />
        </nav>
        {conversation ? (
          <ConversationView
            conversation={conversation}
            items={items}
            timeZone={timeZone}
            viewerId={viewerId}
            refused={refused}
            acting={acting}
          />
        ) : (
          <p className={css.none}>
            {lines.length > 0
              ? 'Choose a conversation from the list.'
              : 'Not a single knot here yet. When a customer writes, the conversation appears here.'}
          </p>
        )}
      </div>
    </main>
  )
}
