/** Returns the packing slip of an accepted offer as a file that the owner prints. */
import { renderToStaticMarkup } from 'react-dom/server'
import { readOffers } from '#app/features/offers/read-offers.server.ts'
import { SLIP_SIZES, type SlipSize } from '#app/features/parcels/slip-size.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { isStorableText } from '#app/lib/http/form-data.server.ts'
import { type PackingSlip, packingSlip } from './packing-slip.ts'
import { slipTexts as texts } from './texts.ts'

type SlipFile =
  | { type: 'application/pdf'; body: Uint8Array<ArrayBuffer> }
  | { type: 'text/html; charset=utf-8'; body: string }

/** Returns a PDF. If its fonts lack a character of the address, returns a web page of the same size, because the owner's browser has more fonts. Returns null without an address. [AGREE-57, AGREE-58] */
export async function readPackingSlip(
  { db }: Pick<AppServices, 'db'>,
  offerId: string,
  typedSize: string | null,
  nonce: string | null,
): Promise<SlipFile | null> {
  const offer = isStorableText(offerId) ? (await readOffers(db, [offerId])).get(offerId) : undefined
  if (offer?.state !== 'accepted' || !offer.parcel?.recipient) return null
  const size = SLIP_SIZES.find((one) => one === typedSize) ?? 'Letter'
  const slip = packingSlip(offer, offer.parcel, await readSettings(db))
  const { renderSlipPdf } = await import('./packing-slip-pdf.server.tsx')
  const pdf = await renderSlipPdf(slip, size)
  if (pdf) return { type: 'application/pdf', body: pdf }
  return { type: 'text/html; charset=utf-8', body: slipPage(slip, size, nonce) }
}

/** The values of the CSS property `size` of `@page`. */
const sizes: Record<SlipSize, string> = { '4x6': '4in 6in', A6: 'A6', Letter: 'Letter', A4: 'A4' }
const isLabel = (size: SlipSize) => size === '4x6' || size === 'A6'

const styleOf = (
  size: SlipSize,
) => `@page{size:${sizes[size]};margin:${isLabel(size) ? '6mm' : '16mm 15mm'}}
*{box-sizing:border-box}body{margin:0;font:${isLabel(size) ? '9pt' : '11.5pt'}/1.4 system-ui,sans-serif;color:#111;background:#fff;overflow-wrap:anywhere}
h1,h2{margin:0;font-size:.8em;font-weight:600;letter-spacing:.08em;text-transform:uppercase;color:#444}p,ul{margin:0;padding:0;list-style:none}
.from{font-size:.9em;color:#444}.to{margin:.8em 0;padding:.8em 0;border:solid #111;border-width:1.5px 0;font-size:1.3em}.to h2{font-size:.62em}.to p:first-of-type{font-weight:700}
li{display:flex;gap:.8em;padding:.3em 0;border-bottom:1px solid #bbb;break-inside:avoid}li span{flex:none}li div{min-width:0}small{color:#444}
@media screen{body{background:#e9e4de}main{width:${isLabel(size) ? '4in' : '8in'};max-width:calc(100% - 2rem);margin:1rem auto 3rem;padding:${isLabel(size) ? '6mm' : '15mm'};background:#fff}
aside{max-width:40rem;margin:0 auto;padding:1rem;font-size:1rem}button{min-height:2.75rem;margin-top:.5rem;padding:0 1.25rem;border:0;border-radius:1.4rem;background:#111;color:#fff;font:inherit;font-weight:600}}
@media print{aside{display:none}}`

/** Returns the HTML of a packing slip. React escapes the texts of the slip, and all other texts are constants. */
const slipPage = (slip: PackingSlip, size: SlipSize, nonce: string | null) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title><style>${styleOf(size)}</style></head>
<body>${renderToStaticMarkup(<SlipContent {...slip} />)}
<script nonce="${nonce ?? ''}">document.getElementById("print").onclick=()=>print()</script></body></html>`

/** Each line of the address has its own text direction, because an address may mix alphabets. */
const SlipContent = (slip: PackingSlip) => (
  <>
    <aside>
      {texts.fontsMissing}
      <br />
      <button
        type="button"
        id="print"
      >
        {texts.print}
      </button>
    </aside>
    <main>
      <div className="from">
        <h1>{texts.from}</h1>
        {[slip.from, ...slip.fromLines].map((text, at) => (
          <p
            dir="auto"
            key={at}
          >
            {text}
          </p>
        ))}
      </div>
      <div className="to">
        <h2>{texts.to}</h2>
        {[slip.to, ...slip.toLines].map((text, at) => (
          <p
            dir="auto"
            key={at}
          >
            {text}
          </p>
        ))}
      </div>
      <h2>{texts.contents}</h2>
      <ul>
        {slip.lines.map(({ quantity, name, more }, at) => (
          <li key={at}>
            <span>{texts.quantity(quantity)}</span>
            <div dir="auto">
              {name}
              {more && (
                <>
                  <br />
                  <small>{more}</small>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
    </main>
  </>
)
