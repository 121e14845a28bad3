/** Draws the bar charts of the reports as SVG. A table next to each chart contains the same numbers. */
import { withSymbol } from '#app/lib/text/currency.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { MAX_BARS, type RankedRow } from './report.ts'

/** A chart has the width of a phone, so that its labels are readable there. Wider screens enlarge the chart. */
const WIDTH = 320
const HEIGHT = 224
const [TOP, BOTTOM] = [12, 200]
const MONTHS = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D']
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Returns the numbers for the axis of a chart: round numbers from 0 to at least `highest`, in about four steps. */
export function ticksUpTo(highest: number): number[] {
  const rough = Math.max(highest / 4, 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * [1, 2, 5, 10].find((times) => times * power >= rough)!
  return Array.from({ length: Math.max(1, Math.ceil(highest / step)) + 1 }, (_, at) => at * step)
}

type MonthBarsProps = {
  /** the values of the twelve months, drawn as filled bars; amounts in cents if `isMoney` is true */
  filled: readonly number[]
  /** other values of the twelve months, drawn as outlined bars: around the filled bars if `isPart` is true, otherwise beside the filled bars */
  outlined?: readonly number[] | null
  isPart?: boolean
  isMoney?: boolean
  color: 'accent' | 'honey' | 'second'
}

export function MonthBars({
  filled,
  outlined = null,
  isPart = false,
  isMoney = false,
  color,
}: MonthBarsProps) {
  const currency = useCurrency()
  const ticks = ticksUpTo(Math.max(...filled, ...(outlined ?? [])))
  const labels = ticks.map((value) =>
    isMoney ? withSymbol(short.format(value / 100), currency) : short.format(value),
  )
  const left = 10 + 7 * Math.max(...labels.map((label) => label.length))
  const yOf = (value: number) => BOTTOM - ((BOTTOM - TOP) * value) / ticks.at(-1)!
  const slot = (WIDTH - 4 - left) / 12
  const middleOf = (month: number) => left + slot * (month + 0.5)
  const isBeside = outlined !== null && !isPart
  const [width, shift] = isBeside ? [8, 4.6] : [14, 0]
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fontSize="12"
      fill="var(--text-soft)"
    >
      {ticks.map((value, at) => (
        <g key={value}>
          <path
            d={`M${left} ${yOf(value)}H${WIDTH - 4}`}
            stroke={value === 0 ? 'var(--line-strong)' : 'var(--line)'}
          />
          <text
            x={left - 6}
            y={yOf(value) + 4}
            textAnchor="end"
          >
            {labels[at]}
          </text>
        </g>
      ))}
      {MONTHS.map((initial, month) => (
        <text
          key={month}
          x={middleOf(month)}
          y={218}
          fontSize="13"
          textAnchor="middle"
        >
          {initial}
        </text>
      ))}
      {filled.map((value, month) => (
        <path
          key={month}
          d={barPath(middleOf(month) + shift, width, yOf(value))}
          fill={`var(--${color})`}
        />
      ))}
      {outlined?.map((value, month) => (
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

/** Draws a bar from the axis up to `top`, with rounded upper corners. */
function barPath(middle: number, width: number, top: number): string {
  const round = Math.min(3, BOTTOM - top)
  if (round <= 0) return ''
  const corner = (toX: number, toY: number) => `a${round} ${round} 0 0 1 ${toX} ${toY}`
  return `M${middle - width / 2} ${BOTTOM}V${top + round}${corner(round, -round)}h${width - 2 * round}${corner(round, round)}V${BOTTOM}z`
}

const LINE = 44
/** Draws a bar for each row. Name and amount are above the bar, because the screen of a phone has no space beside the bar. */
export function RankingBars({ rows }: { rows: readonly RankedRow[] }) {
  const currency = useCurrency()
  const bars = rows.slice(0, MAX_BARS)
  const highest = Math.max(1, ...bars.map(({ revenue }) => revenue))
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${bars.length * LINE + 2}`}
      fontSize="13.5"
    >
      {bars.map(({ key, name, revenue }, at) => (
        <g
          key={key}
          transform={`translate(1 ${at * LINE})`}
        >
          {/* The name is HTML, because SVG cannot shorten a long text with an ellipsis. */}
          <foreignObject
            width={WIDTH - 2}
            height="25"
          >
            <div className="row">
              <bdi className="one-line">{name}</bdi>
              <span className="unbroken">{formatMoney(revenue, currency)}</span>
            </div>
          </foreignObject>
          <rect
            y="26"
            width={WIDTH - 2}
            height="12"
            rx="3"
            fill="var(--raised-2)"
          />
          <rect
            y="26"
            width={Math.max(0, ((WIDTH - 2) * revenue) / highest)}
            height="12"
            rx="3"
            fill="var(--accent)"
          />
        </g>
      ))}
    </svg>
  )
}
