import { withSymbol } from '#lib/text/currency.ts'
import { useCurrency } from '#pricing/currency-context.ts'
import { useMoney } from '#pricing/use-money.ts'
import { type Kind, MAX_BARS } from './report.ts'
import type { Report } from './reports.server.ts'

const WIDTH = 320
const HEIGHT = 224
const TOP = 12
const BOTTOM = 200
const MONTHS = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D']
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

export function ticksUpTo(highest: number) {
  const rough = Math.max(highest / 4, 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * [1, 2, 5, 10].find((times) => times * power >= rough)!
  return Array.from(
    { length: Math.max(1, Math.ceil(highest / step)) + 1 },
    (_, index) => index * step,
  )
}

type MonthBarsProps = {
  filled: readonly number[]
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
  const width = isBeside ? 8 : 14
  const shift = isBeside ? 4.6 : 0
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      fontSize="12"
      fill="var(--text-soft)"
    >
      {ticks.map((value, index) => (
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
            {labels[index]}
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

function barPath(middle: number, width: number, top: number) {
  const round = Math.min(3, BOTTOM - top)
  if (round <= 0) return ''
  const corner = (toX: number, toY: number) => `a${round} ${round} 0 0 1 ${toX} ${toY}`
  return `M${middle - width / 2} ${BOTTOM}V${top + round}${corner(round, -round)}h${width - 2 * round}${corner(round, round)}V${BOTTOM}z`
}

const LINE = 44
export function RankingBars({ rows }: Pick<Report['rankings'][Kind], 'rows'>) {
  const money = useMoney()
  const bars = rows.slice(0, MAX_BARS)
  const highest = Math.max(1, ...bars.map(({ revenue }) => revenue))
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${bars.length * LINE + 2}`}
      fontSize="13.5"
    >
      {bars.map(({ key, name, revenue }, index) => (
        <g
          key={key}
          transform={`translate(1 ${index * LINE})`}
        >
          {/* SVG cannot shorten a long text with an ellipsis. */}
          <foreignObject
            width={WIDTH - 2}
            height="25"
          >
            <div className="flex items-center gap-3">
              <bdi className="truncate">{name}</bdi>
              <span className="whitespace-nowrap">{money(revenue)}</span>
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
