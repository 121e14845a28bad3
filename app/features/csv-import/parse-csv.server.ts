/** Parses an uploaded CSV file row by row. Detects the encoding, the delimiter and the columns, and reports errors. */
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { bareCell } from '#app/lib/text/csv.ts'
import { columns, itemColumns, MAX_ROWS, MAX_CSV_BYTES } from './item-columns.ts'
import { importTexts, notices, parseErrorText, wrongWidth } from './texts.ts'
import { type EtsyListing, isEtsyHeader, readEtsyListing } from './etsy.ts'
import type { ItemCells, ItemColumn } from './item-columns.ts'

/** `row` is the row's number as a spreadsheet shows it, beginning with 1. */
export type TableRow = {
  row: number
  cells: ItemCells
  refusal: string | null
  /** only in a file from Etsy */ etsy?: EtsyListing
}
type CsvTable = { missing: ItemColumn[]; notice: string | null; rows: AsyncGenerator<TableRow[]> }

/** The page shows the error's message to the owner. */
export class UnreadableCsvError extends Error {}

/** The number of rows that the import reads at a time. Between two batches, the process can handle other HTTP requests. */
const BATCH_SIZE = 250
/** A row with more characters is refused, because only an unclosed quotation mark makes a row so long. */
const MAX_ROW_LENGTH = 1024 * 1024
/** A header has at most this many columns, because checking a million columns would block the process. */
const MAX_COLUMNS = 200

export async function openCsv(file: File): Promise<CsvTable> {
  if (file.size === 0) throw new UnreadableCsvError(importTexts.empty)
  if (file.size > MAX_CSV_BYTES)
    throw new UnreadableCsvError(importTexts.tooLarge(MAX_CSV_BYTES / 1024 / 1024))
  const head = new Uint8Array(await file.slice(0, 65_536).arrayBuffer())
  const encoding = await findEncoding(file, head)
  const delimiter = findDelimiter(new TextDecoder(encoding).decode(head))
  const records = readRecords(file, encoding, delimiter)
  let first = await records.next()
  // Skips the line `sep=;`, with which Excel names the delimiter before the header.
  if (!first.done && /^sep=/i.test(first.value.join(delimiter).trim())) first = await records.next()
  if (first.done) throw new UnreadableCsvError(importTexts.empty)
  // Leaves out the empty columns that spreadsheets append.
  const titles = first.value.slice(0, first.value.findLastIndex((cell) => cell.trim() !== '') + 1)
  if (titles.length > MAX_COLUMNS)
    throw new UnreadableCsvError(importTexts.manyColumns(titles.length, MAX_COLUMNS))
  const isEtsy = isEtsyHeader(titles)
  const { columns, missing } = isEtsy ? { columns: [], missing: [] } : parseHeader(titles)
  const notice =
    encoding === 'windows-1252' ? notices.windows : encoding === 'utf-8' ? null : notices.utf16
  return {
    missing,
    notice,
    rows: readRows(records, (row, record) =>
      isEtsy ? readEtsyRow(row, record, titles) : readRow(row, record, columns),
    ),
  }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Throws an error if the file is not a text, for example if it contains the byte 0. */
async function findEncoding(file: File, head: Uint8Array): Promise<Encoding> {
  const begins = (...start: number[]) => start.every((byte, at) => head[at] === byte)
  if (begins(0xff, 0xfe)) return 'utf-16le'
  if (begins(0xfe, 0xff)) return 'utf-16be'
  if (begins(0x50, 0x4b)) throw new UnreadableCsvError(importTexts.workbook)
  if (head.includes(0) || begins(0xff, 0xd8, 0xff) || begins(0x89, 0x50))
    throw new UnreadableCsvError(importTexts.notText)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for await (const chunk of file.stream()) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** Returns the delimiter that occurs most often in the first line, outside quotation marks. */
function findDelimiter(start: string): string {
  const named = /^sep=(.)/i.exec(start)?.[1]
  if (named) return named
  const line =
    /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(start)?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? ''
  const count = (delimiter: string) => line.split(delimiter).length
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** Returns the same key for different spellings of a title, such as 'Sole Type', 'soletype' and 'sole_type'. */
const columnKey = (title: string) => title.toLowerCase().replaceAll(/[\s_-]+/g, '')

export function parseHeader(row: readonly string[]): {
  columns: (ItemColumn | null)[]
  missing: ItemColumn[]
} {
  const cells = row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)
  if (cells.length > MAX_COLUMNS)
    throw new UnreadableCsvError(importTexts.manyColumns(cells.length, MAX_COLUMNS))
  const found = cells.map(
    (cell) =>
      itemColumns.find((column) => columnKey(columns[column].title) === columnKey(cell)) ?? null,
  )
  const unknown = cells.filter((cell, at) => found[at] === null && cell.trim() !== '')
  const known = found.filter((column) => column !== null)
  const all = itemColumns.map((column) => columns[column].title).join(', ')
  if (known.length === 0) throw new UnreadableCsvError(importTexts.noColumns(all))
  if (unknown.length > 0)
    throw new UnreadableCsvError(importTexts.unknownColumns(quotedList(unknown), all))
  const doubled = new Set(known.filter((column, at) => known.indexOf(column) !== at))
  if (doubled.size > 0)
    throw new UnreadableCsvError(
      importTexts.repeatedColumns(quotedList([...doubled].map((one) => columns[one].title))),
    )
  if (!known.includes('id')) throw new UnreadableCsvError(importTexts.noIdColumn)
  return { columns: found, missing: itemColumns.filter((column) => !known.includes(column)) }
}

const quotedList = (titles: readonly string[]) =>
  titles
    .map((title) => `“${title.trim().slice(0, 60)}”`)
    .slice(0, 8)
    .join(', ')

/** Yields the rows of the file. Counts the lines of the file, because the parser's errors do not contain the number of the line. */
async function* readRecords(
  file: File,
  encoding: Encoding,
  delimiter: string,
): AsyncGenerator<string[]> {
  let line = 1
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_ROW_LENGTH,
    on_record(record: string[]) {
      line += 1
      for (const cell of record)
        if (/[\r\n]/.test(cell)) line += cell.split(/\r\n|\r|\n/).length - 1
      return record
    },
  })
  const decoded = (file.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
    new TextDecoderStream(encoding),
  )
  // Ignores the error of the pipeline that occurs if the caller stops reading before the end of the file.
  const fed = pipeline(decoded, parser).catch((error: unknown) => error)
  try {
    for await (const record of parser as AsyncIterable<string[]>) yield record
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableCsvError(parseErrorText(error.code, line))
    throw error
  } finally {
    parser.destroy()
    await fed
  }
}

type ReadRow = (row: number, record: readonly string[]) => TableRow

async function* readRows(
  records: AsyncGenerator<string[]>,
  read: ReadRow,
): AsyncGenerator<TableRow[]> {
  let row = 1
  let part: TableRow[] = []
  for await (const record of records) {
    row += 1
    if (row > MAX_ROWS + 1) throw new UnreadableCsvError(importTexts.tooMany(MAX_ROWS))
    // Skips the empty rows that spreadsheets append.
    if (record.every((cell) => cell.trim() === '')) continue
    part.push(read(row, record))
    if (part.length < BATCH_SIZE) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

function readEtsyRow(row: number, record: readonly string[], titles: readonly string[]): TableRow {
  const refusal = record.length > titles.length ? wrongWidth(record.length, titles.length) : null
  return { row, refusal, ...readEtsyListing(titles, record) }
}

function readRow(
  row: number,
  record: readonly string[],
  columns: readonly (ItemColumn | null)[],
): TableRow {
  const cells: ItemCells = {}
  for (const [at, column] of columns.entries())
    if (column) cells[column] = bareCell(record[at] ?? '')
  const isOver = record.some((cell, at) => !columns[at] && cell !== '')
  const isWrong = record.length < columns.length || isOver
  return { row, cells, refusal: isWrong ? wrongWidth(record.length, columns.length) : null }
}
