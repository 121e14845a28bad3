import { renderToStaticMarkup } from 'react-dom/server'
import { readOffers } from '#offers/offers.server.ts'
import { SLIP_SIZES, type SlipSize } from '#parcels/parcel.ts'
import { readSettings } from '#settings/settings.server.ts'
import type { Offer, Parcel } from '#conversation/agreement.ts'
import type { ShopSettings } from '#settings/shop-settings.ts'
import type { AppServices } from '#services/context.ts'
import { htmlStart } from '#lib/http/html-start.ts'
import { isStorableText } from '#lib/http/form-data.server.ts'
import { shopLines } from './print-document.ts'
import { slipTexts as texts } from './texts.ts'

/**
 * Returns null without an address. If the PDF's fonts lack a character, the slip is a web page.
 * [AGREE-57]
 */
export async function readPackingSlip(
  { db }: Pick<AppServices, 'db'>,
  offerId: string,
  typedSize: string | null,
  nonce: string | null,
) {
  const offer = isStorableText(offerId) ? (await readOffers(db, [offerId])).get(offerId) : undefined
  if (offer?.state !== 'accepted' || !offer.parcel?.recipient) return null
  const size = SLIP_SIZES.find((item) => item === typedSize) ?? 'Letter'
  const slip = packingSlip(offer, offer.parcel, await readSettings(db))
  const { renderSlipPdf } = await import('./packing-slip-pdf.server.tsx')
  const pdf = await renderSlipPdf(slip, size)
  if (pdf) return { type: 'application/pdf', body: pdf }
  return { type: 'text/html; charset=utf-8', body: slipPage(slip, size, nonce) }
}

export type PackingSlip = ReturnType<typeof packingSlip>

const packingSlip = (
  { lines }: Pick<Offer, 'lines'>,
  { recipient, address }: Pick<Parcel, 'recipient' | 'address'>,
  settings: ShopSettings,
) => ({
  from: settings.name,
  fromLines: shopLines({ ...settings, taxNumber: '' }),
  to: recipient,
  toLines: address.split('\n'),
  lines: lines.map(({ quantity, name, color, notes }) => ({
    quantity,
    name,
    more: [color, notes].filter(Boolean).join(', '),
  })),
})

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

/** `renderToStaticMarkup` escapes the texts of the slip; all other parts are constants. */
const slipPage = (
  slip: PackingSlip,
  size: SlipSize,
  nonce: string | null,
) => `${htmlStart(texts.title, styleOf(size))}${renderToStaticMarkup(<SlipContent {...slip} />)}
<script nonce="${nonce ?? ''}">document.getElementById("print").onclick=()=>print()</script></body></html>`

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
        <AddressLines lines={[slip.from, ...slip.fromLines]} />
      </div>
      <div className="to">
        <h2>{texts.to}</h2>
        <AddressLines lines={[slip.to, ...slip.toLines]} />
      </div>
      <h2>{texts.contents}</h2>
      <ul>
        {slip.lines.map(({ quantity, name, more }, index) => (
          <li key={index}>
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

const AddressLines = ({ lines }: { lines: string[] }) =>
  lines.map((line, index) => (
    <p
      dir="auto"
      key={index}
    >
      {line}
    </p>
  ))
