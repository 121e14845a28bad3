import type { ConversationRow } from './conversation-list.server.ts'
import { conversationsTexts as texts } from './owner-texts.ts'

type Props = Pick<ConversationRow, 'lastMessage' | 'lastSender' | 'lastAt'> & { viewerId: string }

/** Shows the beginning of a conversation's last message, with "You:" if the reader has sent it. */
export const LastMessage = ({ lastMessage, lastSender, lastAt, viewerId }: Props) => (
  <>
    {/* The element "bdi" keeps the word “You:” from deciding the direction of the message. */}
    {lastSender === viewerId && <bdi>{texts.you}</bdi>}
    {lastSender === viewerId && ' '}
    {lastMessage || (lastAt === null ? texts.noMessages : texts.noText)}
  </>
)
