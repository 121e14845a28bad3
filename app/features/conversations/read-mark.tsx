/** Whether the other side has read a message of one's own. */
import { Check, CheckCheck } from 'lucide-react'

/** S-167: a name on the picture, and no text of its own: a text that changes would be read aloud with each message. */
export function ReadMark({ isRead }: { isRead: boolean }) {
  const Icon = isRead ? CheckCheck : Check
  return <Icon size={16} role="img" aria-hidden={false} aria-label={isRead ? 'Read' : 'Sent'} />
}
