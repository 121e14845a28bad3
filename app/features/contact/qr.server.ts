/** QR codes of the shop's pages elsewhere, drawn here (S-116): no outside service is asked. */
import QRCode from 'qrcode'

/** An SVG as an address for an image. */
export async function drawQrCode(text: string): Promise<string> {
  const svg = await QRCode.toString(text, {
    type: 'svg',
    margin: 2,
    errorCorrectionLevel: 'M',
    color: { dark: '#1d1815', light: '#fffdf8' },
  })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
