/** Reads the documents of a Firestore export. Fields may contain anything, so the readers always return a value and report problems. */
import type { Insertable } from 'kysely'
import { parseMoney, type Cents } from '#app/features/pricing/money.ts'
import type { Tables } from '#db/schema.ts'

/** The collections in the sequence of the import. A collection comes before the collections that refer to it. [section 3] */
export const collections = [
  'category',
  'colors',
  'items',
  'showcase',
  'users',
  'orders',
  'sales',
  'testimony',
] as const
export type Collection = (typeof collections)[number]
export const isCollection = (name: string): name is Collection =>
  (collections as readonly string[]).includes(name)

/** Fields may be missing or of any type. [S-128] */
export type Fields = Record<string, unknown>
/** The documents by collection and id, in the sequence of the file. */
export type Documents = Record<Collection, Map<string, Fields>>

export type Issue = { where: string; field: string; what: string; done: string }
export type ReportIssue = (issue: Issue) => void
export type AddFinding = (field: string, what: string, done: string) => void

/** The tables in the sequence of the import. A table comes before the tables that refer to it. */
export const importedTables = [
  ...([
    'user',
    'categories',
    'colors',
    'items',
    'itemPictures',
    'itemPictureColors',
    'showcase',
    'favorites',
  ] as const),
  ...([
    'orders',
    'orderItems',
    'messages',
    'readReceipts',
    'reminders',
    'sales',
    'testimonies',
    'testimonyItems',
  ] as const),
]
export type Rows = { [Table in (typeof importedTables)[number]]: Insertable<Tables[Table]>[] }

export type ImportContext = {
  rows: Rows
  /** The documents that the import has not skipped. */
  documents: Documents
  /** Ids of the imported images by the URL in the export. */
  images: ReadonlyMap<string, string>
  /** Returns the owner's id in this shop if the uid belonged to the owner of the hosted shop. Otherwise returns the uid unchanged. */
  uid: (uid: string) => string
  hasAccount: (uid: string) => boolean
  /** Returns the uid that has the account, because several uids may have the same email address. */
  accountOf: (uid: string) => string
  now: number
}

/** Adds the rows of a document. Returns false if the document was skipped and reported. `place` is the document's position in the export. */
export type ReadInto = (reading: {
  id: string
  reader: FieldReader
  note: AddFinding
  context: ImportContext
  place: number
}) => boolean

/** The import creates this category for items whose category is missing. */
export const UNSORTED = { id: 'unsorted', title: 'Unsorted', color: '#8a8078' }

export const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Prepares a text for the terminal: removes control characters, and shortens the text to 120 characters. */
export function reportValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    '?',
  )
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

/** Does not call String() on a map. If the map has a field `toString`, String() would throw an error. */
export const toText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** The highest amount that `parseMoney` accepts. */
const MAX_CENTS = 999_999_999
/** The latest valid JavaScript Date, in UTC milliseconds. */
const MAX_TIME = 8.64e15

/** The tool node-firestore-import-export wraps values of special types. A reference is a path, and the last part of this path is the id. */
function unwrap(value: unknown): unknown {
  if (!isMap(value) || !('__datatype__' in value)) return value
  if (value.__datatype__ === 'documentReference' && typeof value.value === 'string')
    return value.value.split('/').at(-1)
  return value.value
}

/** PostgreSQL refuses NUL, and both databases refuse lone surrogates. */
export const cleanUnicode = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Converts dollars to cents, rounded half up. Returns null for an invalid value. [S-065] */
export function parseCents(value: unknown): Cents | null {
  if (typeof value === 'string')
    return parseMoney(value) ?? (value.trim() === '' ? null : parseCents(Number(value)))
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  // Appending "e2" to the digits multiplies by 100 without a rounding error. In contrast, 1.005 * 100 is less than 100.5.
  const exact = Number(`${value}e2`)
  const cents = Math.floor((Number.isNaN(exact) ? value * 100 : exact) + 0.5)
  return Math.abs(cents) <= MAX_CENTS ? cents || 0 : null
}

/** Returns UTC milliseconds for a Firestore timestamp, an ISO text or a number, and null for an invalid value. */
export function parseTime(raw: unknown): number | null {
  const value = unwrap(raw)
  if (isMap(value)) {
    const seconds = value._seconds ?? value.seconds
    if (seconds === undefined) return parseTime(value.__time__ ?? value.timestampValue)
    return validTime(
      Number(toText(seconds)) * 1000 +
        Math.floor(
          Number(toText(value._nanoseconds ?? value.nanoseconds ?? value.nanos ?? 0)) / 1e6,
        ),
    )
  }
  if (typeof value === 'number') return validTime(Math.floor(value))
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value)
    ? validTime(Date.parse(value))
    : null
}

const validTime = (ms: number) => (Number.isSafeInteger(ms) && Math.abs(ms) <= MAX_TIME ? ms : null)

export type FieldReader = ReturnType<typeof readFields>

/** Returns functions that read one field and report problems. In reports, `path` precedes the name of each field. `end` reports the fields that were not read. */
export function readFields(fields: Fields, note: AddFinding, path = '') {
  const read = new Set<string>()
  const at = (name: string) => `${path}${name}`
  const take = (name: string): unknown => {
    read.add(name)
    return Object.hasOwn(fields, name) ? (unwrap(fields[name]) ?? undefined) : undefined
  }

  /** Reports a missing field only if `otherwise` is given. */
  function text(name: string, otherwise?: string): string {
    const value = take(name)
    if (value === undefined) {
      if (otherwise !== undefined)
        note(
          at(name),
          'missing',
          otherwise === '' ? 'left empty' : `read as ${reportValue(otherwise)}`,
        )
      return otherwise ?? ''
    }
    const found = toText(value)
    const text = cleanUnicode(found)
    if (typeof value !== 'string')
      note(at(name), `${reportValue(value)} is not text`, `read as ${reportValue(text)}`)
    else if (text !== found)
      note(at(name), 'contains characters that the database cannot store', 'they were removed')
    return text
  }

  function flag(name: string, otherwise: boolean, mayBeMissing = false): boolean {
    const value = take(name)
    if (typeof value === 'boolean') return value
    if (value === undefined && mayBeMissing) return otherwise
    const word = toText(value).toLowerCase()
    const meant = ['true', '1', 'yes'].includes(word)
      ? true
      : ['false', '0', 'no', ''].includes(word)
        ? false
        : otherwise
    note(
      at(name),
      value === undefined ? 'missing' : `${reportValue(value)} is neither true nor false`,
      `read as ${meant}`,
    )
    return meant
  }

  /** Returns the first of the `choices` if the field is missing or contains another value. */
  function choice<Choice extends string>(
    name: string,
    choices: readonly [Choice, ...Choice[]],
  ): Choice {
    const value = take(name)
    const found = choices.find((one) => one === value)
    if (found === undefined && value !== undefined)
      note(at(name), `${reportValue(value)} is unknown`, `read as ${reportValue(choices[0])}`)
    return found ?? choices[0]
  }

  function list(name: string, mayBeMissing = false): unknown[] {
    const value = take(name)
    if (Array.isArray(value)) return value.map(unwrap)
    if (value !== undefined) note(at(name), `${reportValue(value)} is not a list`, 'not imported')
    else if (!mayBeMissing) note(at(name), 'missing', 'read as an empty list')
    return []
  }

  /** Returns a reader for each map in a list field, and reports entries that are not maps. */
  const parts = (name: string) =>
    list(name).flatMap((entry, index) => {
      const place = at(`${name}[${index}]`)
      if (isMap(entry)) return [{ place, part: readFields(entry, note, `${place}.`) }]
      note(place, `${reportValue(entry)} is not a map`, 'not imported')
      return []
    })

  /** Returns each id in a list field once, and reports entries that are not ids. */
  const ids = (name: string, mayBeMissing = false): string[] => {
    const found = list(name, mayBeMissing).flatMap((entry, index) => {
      if (typeof entry === 'string' && entry !== '') return [cleanUnicode(entry)]
      note(at(`${name}[${index}]`), `${reportValue(entry)} is not an id`, 'not imported')
      return []
    })
    return [...new Set(found)]
  }

  /** Returns null if the price is invalid or below `min`. Reports this problem only if `done` is given. The text `done` says what the import did instead. */
  function cents(name: string, done?: string, min = 0): Cents | null {
    const value = take(name)
    const found = parseCents(value)
    if (found === null || found < min) {
      if (done !== undefined)
        note(
          at(name),
          value === undefined ? 'missing' : `${reportValue(value)} is not a price`,
          done,
        )
      return null
    }
    if (value !== found / 100) {
      const why = typeof value === 'string' ? 'text, no number' : 'finer than a cent'
      note(at(name), `${reportValue(value)} is ${why}`, `read as ${(found / 100).toFixed(2)}`)
    }
    return found
  }

  /** Returns UTC milliseconds. If the field is invalid, returns `otherwise`. The text `done` says in the report where this time comes from. */
  function time(name: string, otherwise: number, done: string): number {
    const value = take(name)
    const found = parseTime(value)
    if (found === null)
      note(
        at(name),
        value === undefined ? 'missing' : `${reportValue(value)} is not a valid time`,
        done,
      )
    return found ?? otherwise
  }

  /** Returns a reader for the map in this field. Returns null if the field is missing or not a map. */
  function part(name: string) {
    const value = take(name)
    return isMap(value) ? readFields(value, note, `${at(name)}.`) : null
  }

  function end(): void {
    for (const name of Object.keys(fields))
      if (!read.has(name) && name !== '__collections__')
        note(
          at(name),
          `${reportValue(fields[name])} is a field that this shop does not know`,
          'not imported',
        )
  }

  const has = (name: string) =>
    Object.hasOwn(fields, name) && fields[name] !== undefined && fields[name] !== null
  return { text, flag, choice, parts, ids, cents, time, part, raw: take, has, end }
}

/** Reads the fields of a document. If the field `id` differs from the document's id in the export, the import uses the document's id. */
export function readDocument(id: string, fields: Fields, note: AddFinding): FieldReader {
  const reader = readFields(fields, note)
  const written = reader.raw('id')
  if (written !== undefined && written !== id)
    note('id', `${reportValue(written)} is not the document's id`, 'the document’s id counts')
  return reader
}
