import type { ConversationRow } from './conversation-list.server.ts'
import { conversationsTexts as texts } from '../owner-texts.ts'

type LastMessageProps = Pick<ConversationRow, 'lastMessage' | 'lastSender' | 'lastAt'> & {
  viewerId: string
}

export const LastMessage = ({ lastMessage, lastSender, lastAt, viewerId }: LastMessageProps) => (
  <>
    {lastSender === viewerId && <bdi>{texts.you}</bdi>}
    {lastSender === viewerId && ' '}
    {lastMessage || (lastAt === null ? texts.noMessages : texts.noText)}
  </>
)
