/** What the form of the print overlay may contain. */
import { z } from 'zod'
import { PAPER_SIZES, PAPER_TEXTS, PAPERS, readShipping } from './paper.ts'

export const papersInput = z.object({
  receipt: z.string(),
  papers: z.array(z.enum(PAPERS)).min(1, PAPER_TEXTS.nothing),
  shipping: z.string().transform((typed, context) => {
    const cents = readShipping(typed)
    if (cents === null) context.addIssue({ code: 'custom', message: PAPER_TEXTS['not-a-number'] })
    return cents ?? 0
  }),
  size: z.enum(PAPER_SIZES).optional(),
  output: z.enum(['print', 'pdf']).catch('print'),
})
