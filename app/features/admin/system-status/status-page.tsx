import { Link } from 'react-router'
import { CircleAlert, CircleCheck, TriangleAlert } from '#app/ui/icons.tsx'
import css from './status-page.module.css'
import { lightNames, summaryOf, type Light, type StatusLine } from './status.ts'

const icons = { green: CircleCheck, amber: CircleAlert, red: TriangleAlert } satisfies Record<Light, unknown>

export function StatusPage({ lines }: { lines: StatusLine[] }) {
  const summary = summaryOf(lines)
  return (
    <main className="page" id="main">
      <h1>How the shop is doing</h1>
      <p className={`cluster ${css.summary}`} data-light={summary.light}>
        <LightIcon light={summary.light} size={28} />
        {summary.text}
      </p>
      <ul role="list" className={`card ${css.lines}`}>
        {lines.map(({ title, light, text, to }) => (
          <li key={title} className={`stack ${css.line}`} data-light={light}>
            <LightIcon light={light} size={22} />
            <div className={css.words}>
              <div className={`cluster apart ${css.head}`}>
                <h2>{title}</h2>
                <p className={css.light}>{lightNames[light]}</p>
              </div>
              <p>{text}</p>
              {to && (
                <Link to={to.address} className={`tap strong ${css.way}`}>
                  {to.name}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ul>
      <p className={css.settings}>
        <Link className="tap strong" to="/manage/settings/">
          Settings
        </Link>
      </p>
    </main>
  )
}

function LightIcon({ light, size }: { light: Light; size: number }) {
  const Icon = icons[light]
  return <Icon size={size} aria-hidden="true" />
}
