/** Says on the owner's first page that something cannot wait (S-271). */
import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import line from '#app/features/mail/undelivered-line.module.css'

export const UrgentLine = ({ titles }: { titles: string[] }) =>
  titles.length === 0 ? null : (
    <p className={line.undelivered}>
      <TriangleAlert size={20} aria-hidden="true" />
      <span>{`Needs care now: ${titles.join(', ')}.`}</span>
      <Link to="/manage/status/">How the shop is doing</Link>
    </p>
  )
