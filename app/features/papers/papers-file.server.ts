/** The PDF file for an address: what was issued before, and nothing that is new. */
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { readOpenReceipt } from './open-receipt.server.ts'
import { invoiceNumber, PAPER_SIZES, PAPERS, papersFor } from './paper.ts'

export type PapersFile = { name: string; bytes: Uint8Array<ArrayBuffer>; isShown: boolean }

/** null: there is no such receipt, or one of its papers was not made yet. */
export async function readPapersFile(shop: Shop, address: URL, origin: string): Promise<PapersFile | null> {
  const { searchParams: search } = address
  const key = search.get('receipt') ?? ''
  const open = isReadable(key) ? await readOpenReceipt(shop, key, origin) : null
  if (!open) return null
  const papers = PAPERS.filter((paper) => search.getAll('paper').includes(paper))
  const isMissing =
    papers.some((paper) => !papersFor(open.receipt).includes(paper)) ||
    (papers.includes('Invoice') && !open.invoice) ||
    (papers.includes('Testimony Ticket') && !open.ticket)
  if (papers.length === 0 || isMissing) return null
  const size = PAPER_SIZES.find((one) => one === search.get('size')) ?? open.size
  // The library takes a second to load and some memory: only who asks for a file pays for it.
  const { drawPapers } = await import('./papers-pdf.server.tsx')
  const bytes = await drawPapers({ open, papers, settings: await readSettings(shop.db), size })
  const [paper] = papers
  const name = paper === 'Invoice' ? `invoice-${invoiceNumber(open.invoice!.number)}` : paper!.toLowerCase().replaceAll(' ', '-')
  return { name: `${name}.pdf`, bytes, isShown: search.has('show') }
}
