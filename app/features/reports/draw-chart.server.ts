/** Charts drawn by the server as SVG, in the colours of whichever theme shows them; no script of them reaches the browser (030). */
import { BarChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use as register, type EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

register([BarChart, GridComponent, SVGRenderer])

/** As wide as a phone shows it, so that its letters stay readable there; it grows with its place. */
const CHART_WIDTH = 320
export const INK = { text: 'var(--text)', soft: 'var(--text-soft)', line: 'var(--line)', strong: 'var(--line-strong)' } as const
export const letters = (fontSize: number, color: string) => ({ fontFamily: 'inherit', fontSize, color })

export function drawChart(height: number, option: EChartsCoreOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: CHART_WIDTH, height })
  try {
    chart.setOption({ animation: false, ...option })
    return bare(chart.renderToSVGString())
  } finally {
    chart.dispose()
  }
}

/** Without the library's rules for pointers, which would count for the whole page, and hidden from readers, who get the table. */
const bare = (svg: string): string =>
  svg
    .replace(/<style\b[\s\S]*?<\/style>/g, '')
    .replace(/ (?:class|ecmeta_\w+)="[^"]*"/g, '')
    .replace(/^<svg /, '<svg aria-hidden="true" ')
