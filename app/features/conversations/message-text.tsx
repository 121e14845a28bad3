/** The words of a message, its links to be followed. */
import type { Message } from '#app/features/orders/order.ts'
import css from './message-log.module.css'

/** S-165: the server says what is a link; the page it leads to learns nothing of the shop. */
export function MessageText({ message, links = [] }: Pick<Message, 'message' | 'links'>) {
  if (message === '') return <em>(no text)</em>
  const pieces = links.map(({ from, to, href }, i) => [
    message.slice(links[i - 1]?.to ?? 0, from),
    <a key={from} className={css.link} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {message.slice(from, to)}
    </a>,
  ])
  return [...pieces.flat(), message.slice(links.at(-1)?.to ?? 0)]
}
