/** Reads an uploaded table, row by row: finds out its letters, its delimiter and its columns, and says what is broken. */
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { bareCell } from '#app/lib/csv.ts'
import { readHeader, type ItemCells, type ItemColumn } from './item-table.ts'
import { brokenText, MAX_ROWS, MAX_TABLE_BYTES, notices, tableTexts, wrongWidth } from './table-texts.ts'

/** `row` counts as a spreadsheet does: the first row is 1. */
export type TableRow = { row: number; cells: ItemCells; refusal: string | null }
export type Table = { missing: ItemColumn[]; notice: string | null; rows: AsyncGenerator<TableRow[]> }
export type OpenedTable = { ok: true; table: Table } | { ok: false; text: string }

/** Found while the rows are read; to be told, not to be logged. */
export class BrokenTable extends Error {}

/** So many rows at a time; between two parts others get their turn. */
export const PART = 250
/** A row is an item; whatever is longer has swallowed those behind it. */
const LONGEST_ROW = 1024 * 1024

export async function openTable(file: File): Promise<OpenedTable> {
  const refuse = (text: string): OpenedTable => ({ ok: false, text })
  if (file.size === 0) return refuse(tableTexts.empty)
  if (file.size > MAX_TABLE_BYTES) return refuse(tableTexts.tooLarge)
  const head = new Uint8Array(await file.slice(0, 65_536).arrayBuffer())
  const encoding = await findEncoding(file, head)
  if (encoding === null) return refuse(isZip(head) ? tableTexts.workbook : tableTexts.notText)
  const start = new TextDecoder(encoding).decode(head)
  const delimiter = findDelimiter(start)
  const records = recordsOf(file, encoding, delimiter)
  try {
    let first = await records.next()
    // Excel's own way to name the delimiter.
    if (!first.done && /^sep=/i.test(first.value.join(delimiter).trim())) first = await records.next()
    if (first.done) return refuse(tableTexts.empty)
    const header = readHeader(first.value)
    if (!header.ok) return refuse(header.text)
    const notice = encoding === 'windows-1252' ? notices.windows : encoding === 'utf-8' ? null : notices.utf16
    return { ok: true, table: { missing: header.missing, notice, rows: rowsOf(records, header.columns) } }
  } catch (error) {
    if (error instanceof BrokenTable) return refuse(error.message)
    throw error
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const begins = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte)
const isZip = (head: Uint8Array) => begins(head, 0x50, 0x4b)

/** null: no text. Zero bytes are in nearly every other kind of file, and in no text of the shop. */
async function findEncoding(file: File, head: Uint8Array): Promise<Encoding | null> {
  if (begins(head, 0xff, 0xfe)) return 'utf-16le'
  if (begins(head, 0xfe, 0xff)) return 'utf-16be'
  if (head.includes(0) || isZip(head) || begins(head, 0xff, 0xd8, 0xff) || begins(head, 0x89, 0x50)) return null
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of file.stream()) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** Comma, semicolon or tab: whichever is most in the first line, outside quotation marks. */
export function findDelimiter(start: string): string {
  const named = /^sep=(.)/i.exec(start)?.[1]
  if (named) return named
  const line = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(start)?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? ''
  const count = (delimiter: string) => line.split(delimiter).length
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** The table's rows as they stand there. The line of the file is counted while parsing: what is read ahead is lost with the error. */
async function* recordsOf(file: File, encoding: Encoding, delimiter: string): AsyncGenerator<string[]> {
  let line = 1
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: LONGEST_ROW,
    on_record(record: string[]) {
      line += 1
      for (const cell of record) if (/[\r\n]/.test(cell)) line += cell.split(/\r\n|\r|\n/).length - 1
      return record
    },
  })
  const decoded = (file.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream(encoding))
  // The generator is left early where a row is refused: the pipeline then ends both.
  const fed = pipeline(decoded, parser).catch((error: unknown) => error)
  try {
    for await (const record of parser as AsyncIterable<string[]>) yield record
  } catch (error) {
    if (error instanceof CsvError) throw new BrokenTable(brokenText(error.code, line))
    throw error
  } finally {
    parser.destroy()
    await fed
  }
}

async function* rowsOf(records: AsyncGenerator<string[]>, columns: readonly (ItemColumn | null)[]): AsyncGenerator<TableRow[]> {
  let row = 1
  let part: TableRow[] = []
  for await (const record of records) {
    row += 1
    if (row > MAX_ROWS + 1) throw new BrokenTable(tableTexts.tooMany)
    // Spreadsheets leave empty rows behind.
    if (record.every((cell) => cell.trim() === '')) continue
    part.push(readRow(row, record, columns))
    if (part.length < PART) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

function readRow(row: number, record: readonly string[], columns: readonly (ItemColumn | null)[]): TableRow {
  const cells: ItemCells = {}
  for (const [at, column] of columns.entries()) if (column) cells[column] = bareCell(record[at] ?? '')
  const isOver = record.some((cell, at) => !columns[at] && cell !== '')
  const isWrong = record.length < columns.length || isOver
  return { row, cells, refusal: isWrong ? wrongWidth(record.length, columns.length) : null }
}
