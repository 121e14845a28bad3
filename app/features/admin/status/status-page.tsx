import { Link } from 'react-router'
import { CircleCheck } from '#ui/icons.tsx'
import { CircleAlert, TriangleAlert } from '#ui/owner-icons.tsx'
import { type Severity, type StatusItem, summaryText } from './status.ts'
import { statusTexts as texts } from './texts.ts'
import css from './status-page.module.css'

const icons = { green: CircleCheck, amber: CircleAlert, red: TriangleAlert }

export function StatusPage({ lines }: { lines: StatusItem[] }) {
  const summary = summaryText(lines)
  return (
    <main
      className="page"
      id="main"
    >
      <Link
        className="tap"
        to="/manage/settings/"
      >
        {texts.settings}
      </Link>
      <h1>{texts.title}</h1>
      <p
        className={`row ${css.summary}`}
        data-light={summary.light}
      >
        <SeverityIcon
          light={summary.light}
          size={28}
        />
        {summary.text}
      </p>
      <ul
        role="list"
        className={`card ${css.lines}`}
      >
        {lines.map(({ title, light, text, to }) => (
          <li
            key={title}
            className={`grid gap-4 ${css.line}`}
            data-light={light}
          >
            <SeverityIcon
              light={light}
              size={22}
            />
            <div className={css.words}>
              <div className={`row justify-between ${css.head}`}>
                <h2>{title}</h2>
                <p className={css.light}>{texts.severities[light]}</p>
              </div>
              <p>{text}</p>
              {to && (
                <Link
                  to={to.address}
                  className={`tap font-semibold ${css.way}`}
                >
                  {to.name}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ul>
    </main>
  )
}

function SeverityIcon({ light, size }: { light: Severity; size: number }) {
  const Icon = icons[light]
  return <Icon size={size} />
}
