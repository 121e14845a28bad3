/** Says that letters have not left, where the owner looks. */
import { MailWarning } from 'lucide-react'
import { Link } from 'react-router'
import { undeliveredText } from './outbox.ts'
import css from './undelivered-line.module.css'

export function UndeliveredLine(letters: { failed: number; waiting: number }) {
  const text = undeliveredText(letters)
  return text === null ? null : (
    <p className={css.undelivered}>
      <MailWarning size={20} aria-hidden="true" />
      <span>{text}</span>
      <Link to="/manage/mail/">See the mail</Link>
    </p>
  )
}
