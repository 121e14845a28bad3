/** What the papers of a PDF file share: measures, type, and the cord. Black on white, so that a grey printer loses nothing. */
import { ClipPath, Defs, G, Path, Svg } from '@react-pdf/renderer'
import { LOOP, OVER, ROPE } from '#app/ui/cord-line.tsx'
import { SANS, SERIF } from './pdf-fonts.server.ts'

export const INK = '#111'
const SOFT = '#444'
const MM = 72 / 25.4
/** in points, as everything here */
export const MARGIN = { top: 16 * MM, side: 15 * MM }

/** of the pages */
export const WIDTHS = { A4: 595.28, Letter: 612 }
export const HEIGHTS = { A4: 841.89, Letter: 792 }

export const page = {
  paddingVertical: MARGIN.top,
  paddingHorizontal: MARGIN.side,
  fontFamily: SANS,
  fontSize: 11.5,
  lineHeight: 1.5,
  color: INK,
} as const
export const serif = { fontFamily: SERIF } as const
export const soft = { color: SOFT } as const
export const label = { ...soft, fontSize: 9, fontWeight: 600, letterSpacing: 0.9, textTransform: 'uppercase' } as const
export const shopName = { ...serif, fontSize: 25, fontWeight: 600, lineHeight: 1.15, letterSpacing: -0.25 } as const

const Tube = ({ d }: { d: string }) => (
  <>
    <Path d={d} stroke={INK} strokeWidth={7.2} fill="none" />
    <Path d={d} stroke="#fff" strokeWidth={5.2} fill="none" />
  </>
)

/** As `CordLine` draws it. */
export const Cord = ({ width }: { width: number }) => (
  <Svg viewBox="0 0 600 44" width={width} height={(width * 44) / 600} style={{ marginVertical: 10.8 }}>
    <Defs>
      <ClipPath id="over">
        <Path d={OVER} />
      </ClipPath>
    </Defs>
    <Path d={ROPE} stroke={INK} strokeWidth={1} strokeLinecap="round" fill="none" />
    <Tube d={LOOP} />
    <G transform="matrix(-1 0 0 1 600 0)">
      <Tube d={LOOP} />
    </G>
    <G clipPath="url(#over)">
      <Tube d={LOOP} />
    </G>
  </Svg>
)
