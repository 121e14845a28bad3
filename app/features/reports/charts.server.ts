/** The charts of the reports: bars over the months of a year, and bars of the best of a kind. */
import { formatMoney, type Cents } from '#app/features/money/money.ts'
import { drawChart, INK, letters } from './draw-chart.server.ts'
import { BARS, type Ranking } from './report.ts'

/** `filled` are the values told about; `hollow` is what they are held against: an outline, so that the two differ in grey too. */
export type MonthBars = { filled: readonly number[]; hollow: readonly number[] | null; isInside: boolean; isMoney: boolean; color: string }

const MONTHS = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D']
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

export function drawMonths({ filled, hollow, isInside, isMoney, color }: MonthBars): string {
  const width = hollow && !isInside ? 8 : 14
  const outline = { color: 'transparent', borderColor: INK.strong, borderWidth: 1.5, borderRadius: [3, 3, 0, 0] }
  const bars = { type: 'bar', silent: true, barWidth: width, barGap: isInside ? '-100%' : '15%' }
  return drawChart(224, {
    grid: { left: 2, right: 4, top: 12, bottom: 2, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      type: 'category',
      data: MONTHS,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: INK.strong } },
      axisLabel: { interval: 0, ...letters(13, INK.soft) },
    },
    yAxis: {
      type: 'value',
      splitNumber: 4,
      minInterval: isMoney ? 0 : 1,
      axisLabel: { ...letters(12, INK.soft), formatter: (value: number) => (isMoney ? `$${short.format(value)}` : short.format(value)) },
      splitLine: { lineStyle: { color: INK.line } },
    },
    series: [
      ...(hollow ? [{ ...bars, data: [...hollow], itemStyle: outline, z: 3 }] : []),
      { ...bars, data: [...filled], itemStyle: { color, borderRadius: [3, 3, 0, 0] } },
    ],
  })
}

export const inDollars = (cents: readonly Cents[]): number[] => cents.map((one) => one / 100)

const LINE = 44
/** Letters that fit above a bar beside an amount. */
const FITS = 24

const shortened = (name: string): string => {
  const letters = [...name.replaceAll(/\s+/g, ' ').trim()]
  return letters.length > FITS
    ? `${letters
        .slice(0, FITS - 1)
        .join('')
        .trimEnd()}…`
    : letters.join('')
}

/** The name and the amount stand above each bar: beside it a phone has no room. */
export function drawRanking({ rows }: Ranking): string {
  const bars = rows.slice(0, BARS)
  return drawChart(bars.length * LINE + 2, {
    grid: { left: 1, right: 1, top: 10, bottom: -8, outerBoundsMode: 'none' },
    xAxis: { type: 'value', show: false, min: 0 },
    yAxis: {
      type: 'category',
      inverse: true,
      data: bars.map(({ name, revenue }) => `${shortened(name)}\u2002${formatMoney(revenue)}`),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        ...letters(13.5, INK.text),
        ...{ interval: 0, inside: true, margin: 0, align: 'left', verticalAlign: 'bottom', padding: [0, 0, 11, 0] },
        ...{ width: 316, overflow: 'truncate' },
      },
      z: 3,
    },
    series: [
      {
        ...{ type: 'bar', silent: true, barWidth: 12 },
        data: bars.map(({ revenue }) => revenue / 100),
        itemStyle: { color: 'var(--accent)', borderRadius: 3 },
        showBackground: true,
        backgroundStyle: { color: 'var(--raised-2)', borderRadius: 3 },
      },
    ],
  })
}
