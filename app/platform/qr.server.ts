/** QR codes, drawn here and not by a service outside (S-116, S-136). */
import { create } from 'qrcode'
import type { QrDrawing } from '#app/ui/qr-code.tsx'

const BORDER = 4

/** The code of `text`, with the white border of four modules that readers need. */
export function drawQr(text: string): QrDrawing {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  const dark = Array.from(data, (module, at) => (module ? `M${(at % size) + BORDER} ${Math.floor(at / size) + BORDER}h1v1h-1z` : ''))
  return { size: size + 2 * BORDER, path: dark.join('') }
}
