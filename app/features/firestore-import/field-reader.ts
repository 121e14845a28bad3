/** Reads the fields of a document that may hold anything: always returns a value, and notes whatever was not as it should be. */
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
  return value.__datatype__ === 'timestamp' ? value : value.value
}

/** PostgreSQL keeps no NUL, and neither database keeps half a character. */
export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** A number of dollars as cents, half up (S-065); null for what is no amount. */
export function centsOf(value: unknown): { cents: Cents; isCoerced: boolean } | null {
  if (typeof value === 'string') {
    const typed = parseMoney(value) ?? centsOf(value.trim() === '' ? null : Number(value))?.cents ?? null
    return typed === null ? null : { cents: typed, isCoerced: true }
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  const exact = Number(`${value}e2`)
  const cents = Math.floor((Number.isNaN(exact) ? value * 100 : exact) + 0.5)
  return Math.abs(cents) <= MAX_CENTS ? { cents: cents === 0 ? 0 : cents, isCoerced: cents !== exact } : null
}

type Time = { ms: number; isCoerced: boolean } | null

/** UTC milliseconds of a Firestore timestamp of any tool, an ISO text or a number; `isCoerced`: its form had to be guessed. */
export function parseTime(value: unknown): Time {
  if (typeof value === 'number') {
    // Between 1973 and 5138 as seconds, within a few months of 1970 as milliseconds: nobody sold macrame then.
    const isSeconds = value >= 1e8 && value < 1e11
    return atMs(Math.floor(isSeconds ? value * 1000 : value), isSeconds)
  }
  if (typeof value === 'string') {
    if (/^-?\d{1,16}$/.test(value)) return atMs(parseTime(Number(value))?.ms ?? Number.NaN, true)
    return atMs(Date.parse(value), !/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value))
  }
  const map = isMap(value) ? value : {}
  if ('__datatype__' in map) return map.__datatype__ === 'timestamp' ? parseTime(map.value) : null
  const text = map.__time__ ?? map.timestampValue
  if (typeof text === 'string') return parseTime(text)
  const seconds = map._seconds ?? map.seconds
  if (typeof seconds !== 'number' && !/^-?\d{1,13}$/.test(wordOf(seconds))) return null
  const nanoseconds = Number(wordOf(map._nanoseconds ?? map.nanoseconds ?? map.nanos ?? 0))
  return atMs(Number(seconds) * 1000 + Math.floor((Number.isFinite(nanoseconds) ? nanoseconds : 0) / 1e6), false)
}

const atMs = (ms: number, isCoerced: boolean): Time => (Number.isSafeInteger(ms) && Math.abs(ms) <= MAX_TIME ? { ms, isCoerced } : null)

export type FieldReader = ReturnType<typeof readFields>

/** `path`: where these fields are in the document, for the notes. `end` notes each field that nobody has read. */
export function readFields(raw: unknown, note: Note, path = '') {
  const fields = isMap(raw) ? raw : {}
  const read = new Set<string>()
  const at = (name: string) => `${path}${name}`
  const take = (name: string): unknown => {
    read.add(name)
    return Object.hasOwn(fields, name) ? unwrap(fields[name]) : undefined
  }
  const isMissing = (value: unknown) => value === undefined || value === null

  /** `otherwise` undefined: the field may be missing, and nothing is noted then. */
  function text(name: string, otherwise?: string): string {
    const value = take(name)
    if (isMissing(value)) {
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
    if (isMissing(value) && mayBeMissing) return otherwise
    const word = wordOf(value).toLowerCase()
    const meant = ['true', '1', 'yes'].includes(word) ? true : ['false', '0', 'no', ''].includes(word) ? false : otherwise
    note(at(name), isMissing(value) ? 'missing' : `${shown(value)} is neither true nor false`, `read as ${meant}`)
    return meant
  }

  function list(name: string, mayBeMissing = false): unknown[] {
    const value = take(name)
    if (Array.isArray(value)) return value.map(unwrap)
    if (isMissing(value)) {
      if (!mayBeMissing) note(at(name), 'missing', 'read as an empty list')
      return []
    }
    // Some exports write a list as a map by index.
    const entries = isMap(value) ? Object.entries(value) : []
    if (entries.length > 0 && entries.every(([key]) => /^\d{1,9}$/.test(key))) {
      note(at(name), 'a map by number, no list', 'read in the order of its numbers')
      return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, entry]) => unwrap(entry))
    }
    note(at(name), `${shown(value)} is no list`, isMap(value) ? 'not taken' : 'read as a list of one')
    return isMap(value) ? [] : [value]
  }

  /** Ids, each once; whatever is none is noted. */
  const ids = (name: string, mayBeMissing = false): string[] => {
    const found = list(name, mayBeMissing).flatMap((entry, index) => {
      if (typeof entry === 'string' && entry !== '') return [clean(entry)]
      if (typeof entry === 'number') return [String(entry)]
      note(at(`${name}[${index}]`), `${shown(entry)} is no id`, 'not taken')
      return []
    })
    return [...new Set(found)]
  }

  /** null for no amount, or one below `min`; with `done` that is noted. */
  function cents(name: string, done?: string, min = 0): Cents | null {
    const value = take(name)
    const found = centsOf(value)
    if (!found || found.cents < min) {
      if (done !== undefined) note(at(name), isMissing(value) ? 'missing' : `${shown(value)} is no price`, done)
      return null
    }
    if (found.isCoerced) {
      const why = typeof value === 'string' ? 'text, no number' : 'finer than a cent'
      note(at(name), `${shown(value)} is ${why}`, `read as ${(found.cents / 100).toFixed(2)}`)
    }
    return found.cents
  }

  /** UTC milliseconds; `done` says in the report what `otherwise` is. */
  function time(name: string, otherwise: number, done: string): number {
    const value = take(name)
    const found = parseTime(value)
    if (found?.isCoerced) note(at(name), `${shown(value)} is a time in an unusual form`, `read as ${new Date(found.ms).toISOString()}`)
    if (!found) note(at(name), isMissing(value) ? 'missing' : `${shown(value)} is no time`, done)
    return found?.ms ?? otherwise
  }

  return {
    text,
    flag,
    list,
    ids,
    cents,
    time,
    raw: take,
    has: (name: string) => Object.hasOwn(fields, name) && !isMissing(fields[name]),
    /** null when it is missing or no map */
    part(name: string) {
      const value = take(name)
      return isMap(value) ? readFields(value, note, `${at(name)}.`) : null
    },
    end() {
      for (const name of Object.keys(fields))
        if (!read.has(name) && name !== '__collections__')
          note(at(name), `${shown(fields[name])} is a field that this shop does not know`, 'not taken')
    },
  }
}

/** Reads a document; its own id counts, whatever a field `id` says. */
export function readDocument(id: string, fields: Fields, note: Note): FieldReader {
  const reader = readFields(fields, note)
  const written = reader.raw('id')
  if (written !== undefined && written !== null && written !== id)
    note('id', `${shown(written)} is not the document's id`, 'the document’s id counts')
  return reader
}
