/** The shop draws QR codes itself and uses no external service. [S-116, S-136] */
import { encode } from 'uqr'
import type { QrDrawing } from '#app/ui/qr-code.tsx'

/** Draws the text as a QR code. Scanners need its white border, which is four squares wide. */
export function drawQr(text: string): QrDrawing {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  return { size, path: data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('') }
}
