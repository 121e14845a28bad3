import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { downloadResponse } from '../http/download.server.ts'
import { delimiterOf, guardCell, type TableStyle } from './csv.ts'

/** A `number` is not escaped, although a negative one looks like a formula. */
export type Cell = string | { number: string }

export const csvRows = (rows: readonly (readonly Cell[])[], style: TableStyle = 'comma') =>
  stringify(
    rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? guardCell(cell) : cell.number)),
    ),
    { delimiter: delimiterOf[style], record_delimiter: '\r\n', quoted_match: /[\r\n\t]|^\s|\s$/ },
  )
export const BOM = '\uFEFF'

export const csvDownload = (parts: AsyncGenerator<string>, fileName: string) =>
  downloadResponse(
    Readable.from(parts, { objectMode: false }),
    'text/csv; charset=utf-8; header=present',
    fileName,
  )
