/** The numbers of the invoices, in our own export: a number that was given once keeps its receipt (029). */
import type { InvoiceTable, Tx } from '#db/tables.ts'
import { moveEach, type Put } from './import-rows.server.ts'
import { timestamp } from './moment.ts'
import { shown, type FoundDocument, type Note } from './moving.ts'
import { openDocument } from './read-catalogue.ts'
import type { Report } from './report.server.ts'
import type { Spool } from './spool.server.ts'

const CHUNK = 500
/** Half of what an integer holds on every database: the numbers that follow must find room too. */
const MOST = 1_073_741_823

export async function* exportInvoices(tx: Tx): AsyncGenerator<FoundDocument> {
  for (let after = 0; ;) {
    const rows = await tx.selectFrom('invoices').selectAll().where('number', '>', after).orderBy('number').limit(CHUNK).execute()
    for (const { number, receiptKey, shippingCents, createdAt } of rows)
      yield { id: String(number), fields: { number, receipt: receiptKey, shippingCents, createdAt: timestamp(createdAt) } }
    if (rows.length < CHUNK) return
    after = rows.at(-1)!.number
  }
}

type Move = { spool: Spool; report: Report; put: Put; there: readonly Pick<InvoiceTable, 'number' | 'receiptKey'>[]; now: number }

/** Of two invoices with one number, or of one receipt, the first counts: both would be wrong in every book. */
export async function moveInvoices({ spool, report, put, there, now }: Move): Promise<void> {
  const numbers = new Set(there.map(({ number }) => number))
  const receipts = new Set(there.map(({ receiptKey }) => receiptKey))
  await moveEach<InvoiceTable>(spool, report, {
    collection: 'invoices',
    there: new Set(there.map(({ number }) => String(number))),
    read(document, note) {
      const row = readInvoice(document, note, now)
      if (row === null) return null
      if (numbers.has(row.number) || receipts.has(row.receiptKey)) {
        note('', `the number ${row.number} or the receipt ${shown(row.receiptKey)} has an invoice already`, 'NOT TAKEN')
        return null
      }
      numbers.add(row.number)
      receipts.add(row.receiptKey)
      return row
    },
    put: (rows) => put('invoices', rows),
  })
}

function readInvoice(document: FoundDocument, note: Note, now: number): InvoiceTable | null {
  const reader = openDocument(document, note)
  const [number, receiptKey] = [reader.raw('number'), reader.text('receipt', '')]
  const fee = reader.raw('shippingCents')
  const shippingCents = Number.isSafeInteger(fee) && Number(fee) >= 0 ? Number(fee) : 0
  const createdAt = reader.time('createdAt', now, 'the time of the import stands for it')
  if (shippingCents !== fee) note('shippingCents', `${shown(fee)} is no fee`, 'read as FREE')
  reader.end()
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1 || number > MOST || receiptKey === '') {
    note('number', `${shown(number)} of ${shown(receiptKey)} is no invoice of a receipt`, 'NOT TAKEN')
    return null
  }
  return { number, receiptKey, shippingCents, createdAt }
}
