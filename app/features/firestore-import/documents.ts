/** The documents of a Firestore export, and the reader of their fields, which may hold anything: it always returns a value, and notes what was odd (053). */
import type { Insertable } from 'kysely'
import { parseMoney, type Cents } from '#app/features/pricing/money.ts'
import type { Tables } from '#db/schema.ts'

/** Section 3's collections, in the order in which they are imported: those that others refer to come first. */
export const collections = ['category', 'colors', 'items', 'showcase', 'users', 'orders', 'sales', 'testimony'] as const
export type Collection = (typeof collections)[number]
export const isCollection = (name: string): name is Collection => (collections as readonly string[]).includes(name)

/** Fields as they are in the file: anything may be missing or of any type (S-128). */
export type Fields = Record<string, unknown>
/** By collection and id, in the order of the file */
export type Documents = Record<Collection, Map<string, Fields>>

/** One thing that is not as it should be: where it is, what was found, and what was done with it. */
export type Issue = { where: string; field: string; what: string; done: string }
export type ReportIssue = (issue: Issue) => void
/** Reports an issue of one document. */
export type Note = (field: string, what: string, done: string) => void

/** The tables that an import fills, in the order in which rows refer to each other. */
export const importedTables = [
  ...(['user', 'categories', 'colors', 'items', 'itemPictures', 'itemPictureColors', 'showcase', 'favourites'] as const),
  ...(['orders', 'orderItems', 'messages', 'readMarks', 'reminders', 'sales', 'testimonies', 'testimonyItems'] as const),
]
export type Rows = { [Table in (typeof importedTables)[number]]: Insertable<Tables[Table]>[] }

export type ImportContext = {
  rows: Rows
  /** without those that were not taken */
  documents: Documents
  /** ids of the stored pictures by their address in the documents */
  images: ReadonlyMap<string, string>
  /** the hosted shop's owner under her id here; everybody else as they are */
  uid: (uid: string) => string
  hasAccount: (uid: string) => boolean
  /** of two uids with one e-mail: the one that has the account */
  accountOf: (uid: string) => string
  now: number
}

/** Adds the rows of a document; false: it cannot be kept, which was noted. `place`: its position in the collection. */
export type ReadInto = (reading: { id: string; reader: FieldReader; note: Note; context: ImportContext; place: number }) => boolean

/** Items of a category that is not among the categories get this one. */
export const UNSORTED = { id: 'unsorted', title: 'Unsorted', color: '#8a8078' }

export const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value for the report, which goes to a terminal: no control characters, and at most 120 letters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

/** Any value as a text; String() of a map that has a field toString would throw. */
export const wordOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** parseMoney's largest. */
const MAX_CENTS = 999_999_999
/** The last millisecond of a JavaScript Date. */
const MAX_TIME = 8.64e15

/** node-firestore-import-export wraps what JSON does not know; of a reference the last part is the id. */
function unwrap(value: unknown): unknown {
  if (!isMap(value) || !('__datatype__' in value)) return value
  if (value.__datatype__ === 'documentReference' && typeof value.value === 'string') return value.value.split('/').at(-1)
  return value.value
}

/** PostgreSQL keeps no NUL, and neither database keeps half a character. */
export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** A number of dollars as cents, half up (S-065); null for what is no amount. */
export function centsOf(value: unknown): Cents | null {
  if (typeof value === 'string') return parseMoney(value) ?? (value.trim() === '' ? null : centsOf(Number(value)))
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  // 1.005 * 100 is less than 100.5.
  const exact = Number(`${value}e2`)
  const cents = Math.floor((Number.isNaN(exact) ? value * 100 : exact) + 0.5)
  return Math.abs(cents) <= MAX_CENTS ? cents || 0 : null
}

/** UTC milliseconds of a Firestore timestamp of any tool, an ISO text or a number of milliseconds; null for what is no time. */
export function parseTime(raw: unknown): number | null {
  const value = unwrap(raw)
  if (isMap(value)) {
    const seconds = value._seconds ?? value.seconds
    if (seconds === undefined) return parseTime(value.__time__ ?? value.timestampValue)
    return atMs(
      Number(wordOf(seconds)) * 1000 + Math.floor(Number(wordOf(value._nanoseconds ?? value.nanoseconds ?? value.nanos ?? 0)) / 1e6),
    )
  }
  if (typeof value === 'number') return atMs(Math.floor(value))
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value) ? atMs(Date.parse(value)) : null
}

const atMs = (ms: number) => (Number.isSafeInteger(ms) && Math.abs(ms) <= MAX_TIME ? ms : null)

export type FieldReader = ReturnType<typeof readFields>

/** `path`: where these fields are in the document, for the notes. `end` notes each field that nobody has read. */
export function readFields(fields: Fields, note: Note, path = '') {
  const read = new Set<string>()
  const at = (name: string) => `${path}${name}`
  /** Undefined when the field is missing or null. */
  const take = (name: string): unknown => {
    read.add(name)
    return Object.hasOwn(fields, name) ? (unwrap(fields[name]) ?? undefined) : undefined
  }

  /** `otherwise` undefined: the field may be missing, and nothing is noted then. */
  function text(name: string, otherwise?: string): string {
    const value = take(name)
    if (value === undefined) {
      if (otherwise !== undefined) note(at(name), 'missing', otherwise === '' ? 'left empty' : `read as ${shown(otherwise)}`)
      return otherwise ?? ''
    }
    const found = wordOf(value)
    const kept = clean(found)
    if (typeof value !== 'string') note(at(name), `${shown(value)} is no text`, `read as ${shown(kept)}`)
    else if (kept !== found) note(at(name), 'holds characters that no database keeps', 'they were taken out')
    return kept
  }

  function flag(name: string, otherwise: boolean, mayBeMissing = false): boolean {
    const value = take(name)
    if (typeof value === 'boolean') return value
    if (value === undefined && mayBeMissing) return otherwise
    const word = wordOf(value).toLowerCase()
    const meant = ['true', '1', 'yes'].includes(word) ? true : ['false', '0', 'no', ''].includes(word) ? false : otherwise
    note(at(name), value === undefined ? 'missing' : `${shown(value)} is neither true nor false`, `read as ${meant}`)
    return meant
  }

  function list(name: string, mayBeMissing = false): unknown[] {
    const value = take(name)
    if (Array.isArray(value)) return value.map(unwrap)
    if (value !== undefined) note(at(name), `${shown(value)} is no list`, 'not taken')
    else if (!mayBeMissing) note(at(name), 'missing', 'read as an empty list')
    return []
  }

  /** The entries of a list that are maps; others are noted. */
  const parts = (name: string) =>
    list(name).flatMap((entry, index) => {
      const place = at(`${name}[${index}]`)
      if (isMap(entry)) return [{ place, part: readFields(entry, note, `${place}.`) }]
      note(place, `${shown(entry)} is no map`, 'not taken')
      return []
    })

  /** Ids, each once; whatever is none is noted. */
  const ids = (name: string, mayBeMissing = false): string[] => {
    const found = list(name, mayBeMissing).flatMap((entry, index) => {
      if (typeof entry === 'string' && entry !== '') return [clean(entry)]
      note(at(`${name}[${index}]`), `${shown(entry)} is no id`, 'not taken')
      return []
    })
    return [...new Set(found)]
  }

  /** null for no amount, or one below `min`; with `done` that is noted. */
  function cents(name: string, done?: string, min = 0): Cents | null {
    const value = take(name)
    const found = centsOf(value)
    if (found === null || found < min) {
      if (done !== undefined) note(at(name), value === undefined ? 'missing' : `${shown(value)} is no price`, done)
      return null
    }
    if (value !== found / 100) {
      const why = typeof value === 'string' ? 'text, no number' : 'finer than a cent'
      note(at(name), `${shown(value)} is ${why}`, `read as ${(found / 100).toFixed(2)}`)
    }
    return found
  }

  /** UTC milliseconds; `done` says in the report what `otherwise` is. */
  function time(name: string, otherwise: number, done: string): number {
    const value = take(name)
    const found = parseTime(value)
    if (found === null) note(at(name), value === undefined ? 'missing' : `${shown(value)} is no time`, done)
    return found ?? otherwise
  }

  /** null when it is missing or no map */
  function part(name: string) {
    const value = take(name)
    return isMap(value) ? readFields(value, note, `${at(name)}.`) : null
  }

  function end(): void {
    for (const name of Object.keys(fields))
      if (!read.has(name) && name !== '__collections__')
        note(at(name), `${shown(fields[name])} is a field that this shop does not know`, 'not taken')
  }

  const has = (name: string) => Object.hasOwn(fields, name) && fields[name] !== undefined && fields[name] !== null
  return { text, flag, parts, ids, cents, time, part, raw: take, has, end }
}

/** Reads a document; its own id counts, whatever a field `id` says. */
export function readDocument(id: string, fields: Fields, note: Note): FieldReader {
  const reader = readFields(fields, note)
  const written = reader.raw('id')
  if (written !== undefined && written !== id) note('id', `${shown(written)} is not the document's id`, 'the document’s id counts')
  return reader
}
