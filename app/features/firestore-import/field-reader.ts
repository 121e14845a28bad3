/** Reads the fields of a document that may hold anything: always returns a value, and notes whatever was not as it should be (S-128). */
import { parseMoney, type Cents } from '#app/features/pricing/money.ts'
import { isMap, shown, wordOf, type Fields, type Note } from './documents.ts'

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
