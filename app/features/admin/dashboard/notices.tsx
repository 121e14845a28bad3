import { Link } from 'react-router'
import { MailWarning, TriangleAlert } from '#app/ui/icons.tsx'
import { undeliveredText } from '#app/features/admin/email-outbox/outbox.ts'
import css from './notices.module.css'

export function UndeliveredLine(letters: { failed: number; waiting: number }) {
  const text = undeliveredText(letters)
  return text === null ? null : (
    <p className={`cluster ${css.undelivered}`}>
      <MailWarning size={20} aria-hidden="true" />
      <span>{text}</span>
      <Link className="tap strong" to="/manage/mail/">
        See the mail
      </Link>
    </p>
  )
}

export const UrgentLine = ({ titles }: { titles: string[] }) =>
  titles.length === 0 ? null : (
    <p className={`cluster ${css.undelivered}`}>
      <TriangleAlert size={20} aria-hidden="true" />
      <span>{`Needs care now: ${titles.join(', ')}.`}</span>
      <Link className="tap strong" to="/manage/status/">
        How the shop is doing
      </Link>
    </p>
  )
