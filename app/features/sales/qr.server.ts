/** QR codes, drawn here and not by a service outside (S-116, S-136). */
import { create } from 'qrcode'

/** `path` in a square of `size` modules, the white border of four that readers need included. */
export type QrDrawing = { size: number; path: string }

const BORDER = 4

export function drawQr(text: string): QrDrawing {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  const dark = Array.from(data, (module, at) => (module ? `M${(at % size) + BORDER} ${Math.floor(at / size) + BORDER}h1v1h-1z` : ''))
  return { size: size + 2 * BORDER, path: dark.join('') }
}
