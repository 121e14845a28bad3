import { Link } from 'react-router'
import { MailWarning, TriangleAlert } from '#app/ui/icons.tsx'
import { undeliveredText } from '#app/features/admin/email-outbox/texts.ts'
import { noticeTexts } from './texts.ts'
import css from './notices.module.css'

export function FailedEmailNotice(emails: { failed: number; waiting: number }) {
  const text = undeliveredText(emails)
  return text === null ? null : (
    <p className={`cluster ${css.undelivered}`}>
      <MailWarning
        size={20}
        aria-hidden="true"
      />
      <span>{text}</span>
      <Link
        className="tap strong"
        to="/manage/mail/"
      >
        {noticeTexts.seeMail}
      </Link>
    </p>
  )
}

export const CriticalNotice = ({ titles }: { titles: string[] }) =>
  titles.length === 0 ? null : (
    <p className={`cluster ${css.undelivered}`}>
      <TriangleAlert
        size={20}
        aria-hidden="true"
      />
      <span>{noticeTexts.urgent(titles)}</span>
      <Link
        className="tap strong"
        to="/manage/status/"
      >
        {noticeTexts.seeStatus}
      </Link>
    </p>
  )
