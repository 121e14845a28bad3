import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { bareCell } from '#lib/text/csv.ts'
import {
  columns,
  itemColumns,
  MAX_ROWS,
  MAX_CSV_BYTES,
  type ItemCells,
  type ItemColumn,
} from './item-columns.ts'
import { encodingNotices, importTexts, parseErrorText, wrongWidth } from './texts.ts'
import { type EtsyListing, isEtsyHeader, parseEtsyListing } from './etsy.ts'

/** `row` counts from 1, as spreadsheets do. */
export type TableRow = {
  row: number
  cells: ItemCells
  refusal: string | null
  /** only in a file from Etsy */
  etsy?: EtsyListing
}

/** The owner reads the message of this error. */
export class UnreadableCsvError extends Error {}

const BATCH_SIZE = 250
/** Only an unclosed quotation mark makes a row so long. */
const MAX_ROW_LENGTH = 1024 * 1024
/** A million columns would block the process. */
const MAX_COLUMNS = 200

export async function openCsv(file: File) {
  if (file.size === 0) throw new UnreadableCsvError(importTexts.empty)
  if (file.size > MAX_CSV_BYTES) {
    throw new UnreadableCsvError(importTexts.tooLarge(MAX_CSV_BYTES / 1024 / 1024))
  }
  const head = new Uint8Array(await file.slice(0, 65_536).arrayBuffer())
  const encoding = await findEncoding(file, head)
  const delimiter = findDelimiter(new TextDecoder(encoding).decode(head))
  const records = readRecords(file, encoding, delimiter)
  let first = await records.next()
  // Excel names the delimiter in a first line `sep=;`.
  if (!first.done && /^sep=/i.test(first.value.join(delimiter).trim())) first = await records.next()
  if (first.done) throw new UnreadableCsvError(importTexts.empty)
  // Spreadsheets append empty columns.
  const titles = first.value.slice(0, first.value.findLastIndex((cell) => cell.trim() !== '') + 1)
  if (titles.length > MAX_COLUMNS) {
    throw new UnreadableCsvError(importTexts.manyColumns(titles.length, MAX_COLUMNS))
  }
  const isEtsy = isEtsyHeader(titles)
  const header = isEtsy ? { columns: [], missing: [] } : parseHeader(titles)
  return {
    missing: header.missing,
    notice: encodingNotices[encoding],
    rows: readRows(records, (row, record) =>
      isEtsy ? parseEtsyRow(row, record, titles) : parseRow(row, record, header.columns),
    ),
  }
}

type Encoding = keyof typeof encodingNotices

async function findEncoding(file: File, head: Uint8Array): Promise<Encoding> {
  const begins = (...start: number[]) => start.every((byte, index) => head[index] === byte)
  if (begins(0xff, 0xfe)) return 'utf-16le'
  if (begins(0xfe, 0xff)) return 'utf-16be'
  if (begins(0x50, 0x4b)) throw new UnreadableCsvError(importTexts.workbook)
  if (head.includes(0) || begins(0xff, 0xd8, 0xff) || begins(0x89, 0x50)) {
    throw new UnreadableCsvError(importTexts.notText)
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for await (const chunk of file.stream()) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

function findDelimiter(start: string) {
  const named = /^sep=(.)/i.exec(start)?.[1]
  if (named) return named
  const line =
    /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(start)?.[0].replaceAll(/"(?:[^"]|"")*"/g, '') ?? ''
  const count = (delimiter: string) => line.split(delimiter).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

const columnKey = (title: string) => title.toLowerCase().replaceAll(/[\s_-]+/g, '')

/** Throws if a column is unknown or repeated, or if the column of ids is missing. */
export function parseHeader(titles: readonly string[]) {
  const headerColumns = titles.map(
    (title) =>
      itemColumns.find((column) => columnKey(columns[column].title) === columnKey(title)) ?? null,
  )
  const unknownTitles = titles.filter(
    (title, index) => headerColumns[index] === null && title.trim() !== '',
  )
  const knownColumns = headerColumns.filter((column) => column !== null)
  const allTitles = itemColumns.map((column) => columns[column].title).join(', ')
  if (knownColumns.length === 0) throw new UnreadableCsvError(importTexts.noColumns(allTitles))
  if (unknownTitles.length > 0) {
    throw new UnreadableCsvError(importTexts.unknownColumns(quotedList(unknownTitles), allTitles))
  }
  const repeatedColumns = new Set(
    knownColumns.filter((column, index) => knownColumns.indexOf(column) !== index),
  )
  if (repeatedColumns.size > 0) {
    const repeatedTitles = [...repeatedColumns].map((column) => columns[column].title)
    throw new UnreadableCsvError(importTexts.repeatedColumns(quotedList(repeatedTitles)))
  }
  if (!knownColumns.includes('id')) throw new UnreadableCsvError(importTexts.noIdColumn)
  return {
    columns: headerColumns,
    missing: itemColumns.filter((column) => !knownColumns.includes(column)),
  }
}

const quotedList = (titles: readonly string[]) =>
  titles
    .map((title) => `“${title.trim().slice(0, 60)}”`)
    .slice(0, 8)
    .join(', ')

/** The errors of the parser have no line numbers, so this function counts the lines. */
async function* readRecords(file: File, encoding: Encoding, delimiter: string) {
  let line = 1
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_ROW_LENGTH,
    on_record(record: string[]) {
      line += 1
      for (const cell of record) {
        if (/[\r\n]/.test(cell)) line += cell.split(/\r\n|\r|\n/).length - 1
      }
      return record
    },
  })
  const decoded = (file.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
    new TextDecoderStream(encoding),
  )
  // The pipeline fails if the caller stops reading before the end of the file.
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

async function* readRows(
  records: AsyncGenerator<string[]>,
  parseRecord: (row: number, record: readonly string[]) => TableRow,
) {
  let row = 1
  let batch: TableRow[] = []
  for await (const record of records) {
    row += 1
    if (row > MAX_ROWS + 1) throw new UnreadableCsvError(importTexts.tooMany(MAX_ROWS))
    // Spreadsheets append empty rows.
    if (record.every((cell) => cell.trim() === '')) continue
    batch.push(parseRecord(row, record))
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function parseEtsyRow(row: number, record: readonly string[], titles: readonly string[]): TableRow {
  const refusal = record.length > titles.length ? wrongWidth(record.length, titles.length) : null
  return { row, refusal, ...parseEtsyListing(titles, record) }
}

function parseRow(
  row: number,
  record: readonly string[],
  columns: readonly (ItemColumn | null)[],
): TableRow {
  const cells: ItemCells = {}
  for (const [index, column] of columns.entries()) {
    if (column) cells[column] = bareCell(record[index] ?? '')
  }
  const isOver = record.some((cell, index) => !columns[index] && cell !== '')
  const isWrong = record.length < columns.length || isOver
  return { row, cells, refusal: isWrong ? wrongWidth(record.length, columns.length) : null }
}
