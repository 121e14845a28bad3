/** Reads an uploaded table, row by row: finds out its letters, its delimiter and its columns, and says what is broken. */
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { bareCell } from '#app/lib/csv.ts'
import { brokenText, columns, itemColumns, MAX_ROWS, MAX_TABLE_BYTES, notices, tableTexts, wrongWidth } from './item-table.ts'
import type { ItemCells, ItemColumn } from './item-table.ts'

/** `row` counts as a spreadsheet does: the first row is 1. */
export type TableRow = { row: number; cells: ItemCells; refusal: string | null }
export type Table = { missing: ItemColumn[]; notice: string | null; rows: AsyncGenerator<TableRow[]> }

/** The message is for the owner. */
export class UnreadableTable extends Error {}

/** So many rows at a time; between two parts others get their turn. */
const PART = 250
/** A row is an item; whatever is longer has swallowed those behind it. */
const LONGEST_ROW = 1024 * 1024
/** A row is looked at column by column: a first row of a million columns would keep the shop busy for minutes. */
const MOST_COLUMNS = 200

export async function openTable(file: File): Promise<Table> {
  if (file.size === 0) throw new UnreadableTable(tableTexts.empty)
  if (file.size > MAX_TABLE_BYTES) throw new UnreadableTable(tableTexts.tooLarge)
  const head = new Uint8Array(await file.slice(0, 65_536).arrayBuffer())
  const encoding = await findEncoding(file, head)
  const delimiter = findDelimiter(new TextDecoder(encoding).decode(head))
  const records = recordsOf(file, encoding, delimiter)
  let first = await records.next()
  // Excel's own way to name the delimiter.
  if (!first.done && /^sep=/i.test(first.value.join(delimiter).trim())) first = await records.next()
  if (first.done) throw new UnreadableTable(tableTexts.empty)
  const { columns, missing } = readHeader(first.value)
  const notice = encoding === 'windows-1252' ? notices.windows : encoding === 'utf-8' ? null : notices.utf16
  return { missing, notice, rows: rowsOf(records, columns) }
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Zero bytes are in nearly every kind of file that is no text, and in no text of the shop. */
async function findEncoding(file: File, head: Uint8Array): Promise<Encoding> {
  const begins = (...start: number[]) => start.every((byte, at) => head[at] === byte)
  if (begins(0xff, 0xfe)) return 'utf-16le'
  if (begins(0xfe, 0xff)) return 'utf-16be'
  if (begins(0x50, 0x4b)) throw new UnreadableTable(tableTexts.workbook)
  if (head.includes(0) || begins(0xff, 0xd8, 0xff) || begins(0x89, 0x50)) throw new UnreadableTable(tableTexts.notText)
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
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

/** 'Sole Type', 'soletype' and 'sole_type' are one column. */
const key = (title: string) => title.toLowerCase().replaceAll(/[\s_-]+/g, '')

export function readHeader(row: readonly string[]): { columns: (ItemColumn | null)[]; missing: ItemColumn[] } {
  // Spreadsheets leave empty columns behind, up to all that they have.
  const cells = row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)
  if (cells.length > MOST_COLUMNS) throw new UnreadableTable(`The first row has ${cells.length} columns; at most ${MOST_COLUMNS} are read.`)
  const found = cells.map((cell) => itemColumns.find((column) => key(columns[column].title) === key(cell)) ?? null)
  const unknown = cells.filter((cell, at) => found[at] === null && cell.trim() !== '')
  const known = found.filter((column) => column !== null)
  const all = itemColumns.map((column) => columns[column].title).join(', ')
  if (known.length === 0) throw new UnreadableTable(`The first row does not name the columns. They are: ${all}.`)
  if (unknown.length > 0) throw new UnreadableTable(`There is no column ${quoted(unknown)}. The columns are: ${all}.`)
  const doubled = new Set(known.filter((column, at) => known.indexOf(column) !== at))
  if (doubled.size > 0)
    throw new UnreadableTable(`The file has more than one column ${quoted([...doubled].map((one) => columns[one].title))}.`)
  if (!known.includes('id')) throw new UnreadableTable(tableTexts.noIdColumn)
  return { columns: found, missing: itemColumns.filter((column) => !known.includes(column)) }
}

const quoted = (titles: readonly string[]) =>
  titles
    .map((title) => `“${title.trim().slice(0, 60)}”`)
    .slice(0, 8)
    .join(', ')

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
    if (error instanceof CsvError) throw new UnreadableTable(brokenText(error.code, line))
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
    if (row > MAX_ROWS + 1) throw new UnreadableTable(tableTexts.tooMany)
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
