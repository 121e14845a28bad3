/** What the print overlay hears when it is sent: the specification's texts, letter for letter, and ours beside the field. */
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import type { Answer } from '#app/ui/answer.ts'
import { issuePapers, type Wanted } from './issue-papers.server.ts'
import { readOpenReceipt } from './open-receipt.server.ts'
import { PAPER_TEXTS, type PaperSize, type Paper } from './paper.ts'
import { papersInput } from './papers-input.ts'

/** SALES-60, SALES-61 */
const TICKET = { done: 'Created Testimony Ticket', failed: 'Erro Creating Testimony Ticket' }

/** `pdf`: where the file of these papers is, when one was asked for. */
export type Printed = Answer & { pdf?: string }

export async function printPapers(
  shop: Shop,
  form: FormData,
  origin: string,
): Promise<{ answer: Printed; status: number; address: string | null }> {
  const refused = (answer: Answer, status: number) => ({ answer, status, address: null })
  const read = papersInput.safeParse({
    receipt: form.get('receipt'),
    papers: form.getAll('paper'),
    shipping: form.get('shipping') ?? '',
    size: form.get('size') ?? undefined,
    output: form.get('output'),
  })
  if (!read.success) {
    const [issue] = read.error.issues
    const isShipping = issue?.path[0] === 'shipping'
    return refused({ ok: false, field: isShipping ? 'shipping' : 'papers', error: isShipping ? issue.message : PAPER_TEXTS.nothing }, 422)
  }
  const { output, size, ...wanted } = read.data
  const hasTicket = wanted.papers.includes('Testimony Ticket')
  const failed = { ok: false, toasts: [hasTicket ? TICKET.failed : PAPER_TEXTS.failed] }
  try {
    if (output === 'pdf' && !(await hasLetters(shop, wanted, origin))) return refused({ ok: false, error: PAPER_TEXTS.letters }, 422)
    const done = await issuePapers(shop, wanted)
    if (!done.ok)
      return refused(hasTicket ? failed : { ok: false, toasts: [PAPER_TEXTS['not-found']] }, done.refusal === 'not-found' ? 404 : 409)
  } catch (error) {
    shop.log.error('The papers of a receipt could not be made ready.', error)
    return refused(failed, 500)
  }
  const address = pdfAddress(wanted.receipt, wanted.papers, size, output === 'print')
  const answer = { ok: true, toasts: hasTicket ? [TICKET.done] : [], ...(output === 'pdf' && { pdf: address }) }
  return { answer, status: 200, address }
}

/** Seen before a number is given for nothing. */
async function hasLetters(shop: Shop, { receipt, papers }: Wanted, origin: string): Promise<boolean> {
  const open = await readOpenReceipt(shop, receipt, origin)
  if (!open) return true
  const { canDraw } = await import('./papers-pdf.server.tsx')
  return canDraw({ open, papers, settings: await readSettings(shop.db) })
}

/** `isShown`: the browser shows the file, for whoever prints without script. */
function pdfAddress(receipt: string, papers: readonly Paper[], size: PaperSize | undefined, isShown: boolean): string {
  const search = new URLSearchParams({ receipt })
  for (const paper of papers) search.append('paper', paper)
  if (size) search.set('size', size)
  if (isShown) search.set('show', '')
  return `/manage/papers.pdf?${search}`
}
