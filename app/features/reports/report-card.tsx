/** One report: its title, what it comes to, a chart for the eye, and the same as a table for everybody. */
import type { ReactNode } from 'react'
import { ChevronDown } from 'lucide-react'
import css from './report-card.module.css'

type Props = {
  title: string
  /** what the chart would say in one line */
  says: ReactNode
  chart: string
  legend?: ReactNode
  children: ReactNode
}

/** An empty chart is no chart; the table stands behind its name, since it is long. */
export function ReportCard({ title, says, chart, legend, children }: Props) {
  return (
    <section className={`card ${css.card}`}>
      <h2>{title}</h2>
      <p className="soft">{says}</p>
      {chart && <div className={css.chart} dangerouslySetInnerHTML={{ __html: chart }} />}
      {chart && legend}
      {chart && (
        <details className={css.details}>
          <summary>
            <span>
              Table<span className="unseen">{` of ${title.toLowerCase()}`}</span>
            </span>
            <ChevronDown size={18} aria-hidden="true" />
          </summary>
          {children}
        </details>
      )}
    </section>
  )
}

/** What the full and the hollow bars stand for. */
export const Legend = ({ full, hollow, color }: { full: string; hollow: string; color: 'accent' | 'second' }) => (
  <p className={css.legend}>
    <span className={`${css.key} ${css[color]}`}>{full}</span>
    <span className={css.key}>{hollow}</span>
  </p>
)
