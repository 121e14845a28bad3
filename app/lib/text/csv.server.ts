import { ReadableStream as NodeStream } from 'node:stream/web'
import { stringify } from 'csv-stringify/sync'
import { delimiterOf, guardCell, type TableStyle } from './csv.ts'

/** A cell of a CSV file. `number` is a number that the shop has computed. The shop does not escape this number, although a negative number begins like a formula. */
export type Cell = string | { number: string }

/** Writes rows as CSV (RFC 4180), and escapes cells that a spreadsheet would run as formulas. */
export const csvRows = (rows: readonly (readonly Cell[])[], style: TableStyle = 'comma'): string =>
  stringify(
    rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? guardCell(cell) : cell.number)),
    ),
    { delimiter: delimiterOf[style], record_delimiter: '\r\n', quoted_match: /[\r\n\t]|^\s|\s$/ },
  )
export const BOM = '\uFEFF'

async function* withByteOrderMark(parts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const part of parts) if (part !== '') yield encoder.encode(part)
}

export function csvDownload(parts: AsyncGenerator<string>, fileName: string): Response {
  // Node's ReadableStream is used, because the type of the browser's ReadableStream lacks `from`.
  const bytes = NodeStream.from(withByteOrderMark(parts))
  return new Response(bytes as unknown as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    },
  })
}
