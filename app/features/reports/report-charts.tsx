/** The charts of the reports as SVG: bars over the months of a year, and bars of the best of a kind. The table beside each says the same to everybody. */
import { formatMoney } from '#app/features/pricing/money.ts'
import { BARS, type Named } from './report.ts'

/** As wide as a phone shows it, so that its letters stay readable there; it grows with its place. */
const WIDTH = 320
const HEIGHT = 224
const [TOP, BOTTOM] = [12, 200]
const MONTHS = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D']
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Round numbers from 0 to at least `highest`, in about four steps. */
export function ticksUpTo(highest: number): number[] {
  const rough = Math.max(highest / 4, 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * [1, 2, 5, 10].find((times) => times * power >= rough)!
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, at) => at * step)
}

type MonthBarsProps = {
  /** the twelve values told about; cents where `isMoney` */
  filled: readonly number[]
  /** what they are held against, as outlines, so that the two differ in gray too: beside the full bars, or around them where these are a part of it */
  hollow?: readonly number[] | null
  isPart?: boolean
  isMoney?: boolean
  color: 'accent' | 'honey' | 'second'
}

export function MonthBars({ filled, hollow = null, isPart = false, isMoney = false, color }: MonthBarsProps) {
  const ticks = ticksUpTo(Math.max(...filled, ...(hollow ?? [])))
  const labels = ticks.map((value) => (isMoney ? `$${short.format(value / 100)}` : short.format(value)))
  const left = 10 + 7 * Math.max(...labels.map((label) => label.length))
  const yOf = (value: number) => BOTTOM - ((BOTTOM - TOP) * value) / ticks.at(-1)!
  const slot = (WIDTH - 4 - left) / 12
  const middleOf = (month: number) => left + slot * (month + 0.5)
  const isBeside = hollow !== null && !isPart
  const [width, shift] = isBeside ? [8, 4.6] : [14, 0]
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} fontSize="12" fill="var(--text-soft)">
      {ticks.map((value, at) => (
        <g key={value}>
          <path d={`M${left} ${yOf(value)}H${WIDTH - 4}`} stroke={value === 0 ? 'var(--line-strong)' : 'var(--line)'} />
          <text x={left - 6} y={yOf(value) + 4} textAnchor="end">
            {labels[at]}
          </text>
        </g>
      ))}
      {MONTHS.map((letter, month) => (
        <text key={month} x={middleOf(month)} y={218} fontSize="13" textAnchor="middle">
          {letter}
        </text>
      ))}
      {filled.map((value, month) => (
        <path key={month} d={barPath(middleOf(month) + shift, width, yOf(value))} fill={`var(--${color})`} />
      ))}
      {hollow?.map((value, month) => (
        <path
          key={month}
          d={barPath(middleOf(month) - shift, width, yOf(value))}
          fill="none"
          stroke="var(--line-strong)"
          strokeWidth="1.5"
        />
      ))}
    </svg>
  )
}

/** A bar from the axis up to `top`, with its upper corners rounded. */
function barPath(middle: number, width: number, top: number): string {
  const round = Math.min(3, BOTTOM - top)
  if (round <= 0) return ''
  const corner = (toX: number, toY: number) => `a${round} ${round} 0 0 1 ${toX} ${toY}`
  return `M${middle - width / 2} ${BOTTOM}V${top + round}${corner(round, -round)}h${width - 2 * round}${corner(round, round)}V${BOTTOM}z`
}

const LINE = 44
/** Letters that fit above a bar beside an amount. */
const MAX_NAME_LENGTH = 24

function shortened(name: string): string {
  const letters = [...name.replaceAll(/\s+/g, ' ').trim()]
  const start = letters.slice(0, MAX_NAME_LENGTH - 1).join('')
  return letters.length > MAX_NAME_LENGTH ? `${start.trimEnd()}…` : letters.join('')
}

/** The name and the amount stand above each bar: beside it a phone has no room. */
export function RankingBars({ rows }: { rows: readonly Named[] }) {
  const bars = rows.slice(0, BARS)
  const highest = Math.max(1, ...bars.map(({ revenue }) => revenue))
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${bars.length * LINE + 2}`} fontSize="13.5" fill="var(--text)">
      {bars.map(({ key, name, revenue }, at) => (
        <g key={key} transform={`translate(1 ${at * LINE})`}>
          <text y="18">{`${shortened(name)}\u2002${formatMoney(revenue)}`}</text>
          <rect y="26" width={WIDTH - 2} height="12" rx="3" fill="var(--raised-2)" />
          <rect y="26" width={((WIDTH - 2) * revenue) / highest} height="12" rx="3" fill="var(--accent)" />
        </g>
      ))}
    </svg>
  )
}
