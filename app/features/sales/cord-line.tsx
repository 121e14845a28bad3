/** The shop's line: a twisted cord with a square knot in its middle. Strokes only, so that it prints without backgrounds and in grey. */

const CORD = 9
const MIDDLE = 300
/** where the cord ends and the knot begins, from the middle */
const KNOT = 44

export function CordLine({ className }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 600 36" aria-hidden="true" focusable="false" fill="none">
      <g stroke="currentColor" strokeWidth="1" strokeLinecap="round">
        <path d={`${twist(0, MIDDLE - KNOT)}${twist(MIDDLE + KNOT, 600)}`} />
      </g>
      <Bight />
      <g transform={`rotate(180 ${MIDDLE} 18)`}>
        <Bight />
      </g>
      {/* The first loop passes over the second once more: that is what holds a square knot together. */}
      <Tube d="M274 11.5 C 286 9, 298 7, 310 7.5" />
    </svg>
  )
}

/** Two edges and the slanted strands between them. */
function twist(from: number, to: number): string {
  const [top, bottom] = [18 - CORD / 2, 18 + CORD / 2]
  const strands = Array.from(
    { length: Math.floor((to - from) / 7) },
    (_, at) => `M${from + at * 7} ${bottom}c2.5-1 4.5-${CORD - 1} 7-${CORD}`,
  )
  return `M${from} ${top}H${to}M${from} ${bottom}H${to}${strands.join('')}`
}

/** One of the two loops, coming from the left and going back. */
const Bight = () => <Tube d="M254 15.5 C 268 13, 290 6, 314 7.5 C 330 9, 330 27, 314 28.5 C 290 30, 268 23, 254 20.5" />

/** A cord seen from above: dark edges, the ground's own colour between them. */
const Tube = ({ d }: { d: string }) => (
  <>
    <path d={d} stroke="currentColor" strokeWidth="6.5" />
    <path d={d} stroke="var(--cord-ground, var(--ground))" strokeWidth="4.5" />
  </>
)

/** For empty places: a knot that nobody has drawn tight. */
export function LooseKnot() {
  return (
    <svg viewBox="0 0 160 72" width="160" height="72" aria-hidden="true" focusable="false" fill="none">
      {['M4 44C40 44 54 12 86 12s38 44 8 46-44-32-22-42', 'M72 16c18-8 34 4 46 18s22 10 38 10'].map((d) => (
        <g key={d}>
          <path d={d} stroke="currentColor" strokeWidth="8" strokeLinecap="round" />
          <path d={d} stroke="var(--ground)" strokeWidth="5" strokeLinecap="round" />
        </g>
      ))}
    </svg>
  )
}
