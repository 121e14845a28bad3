/** The shop draws QR codes itself and uses no external service. [S-116, S-136] */
import { encode } from 'uqr'
import type { QrDrawing } from '#app/ui/qr-code.tsx'

/** Draws the text as a QR code. Scanners need its white border, which is four squares wide. */
export function drawQr(text: string): QrDrawing {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  // Joins the adjacent black squares of a row to one rectangle, so that a page with several QR codes stays small.
  const rows = data.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''))
  const runs = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(
      ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
    ),
  )
  return { size, path: runs.join('') }
}
