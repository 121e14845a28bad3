/** The drawing has only strokes, so that it prints in gray and without background graphics. */
import { useId } from 'react'

const CORD = 13.4
const MIDDLE = 300
const LEVEL = 22
const KNOT_HALF_WIDTH = 58

export const LEFT_LOOP =
  'M242 18.9H272C288 18.9 304 7 319 7C333 7 341 13 341 22S333 37 319 37C304 37 288 25.1 272 25.1H242'
export const FRONT_AREAS = 'M284 0h32v22h-32zM331 22h20v14h-20zM249 22h20v14h-20z'

export function CordDrawing({ className }: { className?: string }) {
  const frontId = useId()
  return (
    <svg
      className={className}
      viewBox="0 0 600 44"
      aria-hidden="true"
      focusable="false"
      fill="none"
    >
      <clipPath id={frontId}>
        <path d={FRONT_AREAS} />
      </clipPath>
      <path
        d={ROPE}
        stroke="currentColor"
        strokeLinecap="round"
      />
      <Tube d={LEFT_LOOP} />
      <g transform={`matrix(-1 0 0 1 ${2 * MIDDLE} 0)`}>
        <Tube d={LEFT_LOOP} />
      </g>
      <g clipPath={`url(#${frontId})`}>
        <Tube d={LEFT_LOOP} />
      </g>
    </svg>
  )
}

export const ROPE = `${twist(0, MIDDLE - KNOT_HALF_WIDTH)}${twist(MIDDLE + KNOT_HALF_WIDTH, 600)}`

function twist(from: number, to: number) {
  const top = LEVEL - CORD / 2
  const bottom = LEVEL + CORD / 2
  const strands = Array.from(
    { length: Math.floor((to - from) / 9) },
    (_, index) => `M${from + 1 + index * 9} ${bottom}c4-1.5 3.5-${CORD - 1.5} 7.5-${CORD}`,
  )
  return `M${from} ${top}H${to}M${from} ${bottom}H${to}${strands.join('')}`
}

const Tube = ({ d }: { d: string }) => (
  <>
    <path
      d={d}
      stroke="currentColor"
      strokeWidth="7.2"
    />
    <path
      d={d}
      stroke="var(--cord-ground, var(--ground))"
      strokeWidth="5.2"
    />
  </>
)
