/** Reads the fields of a document that may hold anything: always gives a value, and notes whatever was not as it should be. */
import { parseMoney, type Cents } from '#app/features/money/money.ts'
import { shown, wordOf, type Fields, type Note } from './moving.ts'
import { readMoment } from './moment.ts'

/** parseMoney's largest. */
const MOST_CENTS = 999_999_999

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** node-firestore-import-export wraps what JSON does not know; of a reference the last part is the id. */
function unwrap(value: unknown): unknown {
  if (!isMap(value) || !('__datatype__' in value)) return value
  if (value.__datatype__ === 'documentReference' && typeof value.value === 'string') return value.value.split('/').at(-1)
  return value.__datatype__ === 'timestamp' ? value : value.value
}

/** PostgreSQL keeps no NUL, and neither database keeps half a character. */
/** PostgreSQL holds no NUL, and neither database half a character. */
export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** A number of dollars as cents, half up (S-065); null when it is no amount at all. */
export function centsOf(value: unknown): { cents: Cents; isCoerced: boolean } | null {
  if (typeof value === 'string') {
    const typed = parseMoney(value) ?? centsOf(value.trim() === '' ? null : Number(value))?.cents ?? null
    return typed === null ? null : { cents: typed, isCoerced: true }
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  const exact = Number(`${value}e2`)
  const cents = Math.floor((Number.isNaN(exact) ? value * 100 : exact) + 0.5)
  return Math.abs(cents) <= MOST_CENTS ? { cents: cents === 0 ? 0 : cents, isCoerced: cents !== exact } : null
}

export type Reader = ReturnType<typeof openFields>

/** `path`: where these fields stand in the document, for the notes. Each field that nobody reads is noted by `end`. */
export function openFields(raw: unknown, note: Note, path = '') {
  const fields = isMap(raw) ? raw : {}
  const read = new Set<string>()
  const at = (name: string) => `${path}${name}`
  const take = (name: string): unknown => {
    read.add(name)
    return Object.hasOwn(fields, name) ? unwrap(fields[name]) : undefined
  }
  const isMissing = (value: unknown) => value === undefined || value === null

  /** `otherwise` undefined: may be missing, then nothing is noted. */
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

  /** Texts only, each once; others are noted. */
  const texts = (name: string, mayBeMissing = false): string[] => [
    ...new Set(
      list(name, mayBeMissing).flatMap((entry, index) => {
        if (typeof entry === 'string' && entry !== '') return [clean(entry)]
        if (typeof entry === 'number') return [String(entry)]
        note(at(`${name}[${index}]`), `${shown(entry)} is no id`, 'not taken')
        return []
      }),
    ),
  ]

  /** null when it is no amount; then the caller notes what it does. `least`: below it counts as none. */
  function cents(name: string, least = 0): Cents | null {
    const value = take(name)
    const found = centsOf(value)
    if (!found || found.cents < least) return null
    if (found.isCoerced) {
      const why = typeof value === 'string' ? 'text, no number' : 'finer than a cent'
      note(at(name), `${shown(value)} is ${why}`, `read as ${(found.cents / 100).toFixed(2)}`)
    }
    return found.cents
  }

  function time(name: string, otherwise: number, done?: string): number {
    const value = take(name)
    const moment = readMoment(value)
    const iso = () => new Date(moment!.ms).toISOString()
    if (moment?.isCoerced) note(at(name), `${shown(value)} is a time in an unusual form`, `read as ${iso()}`)
    if (!moment && done !== undefined) note(at(name), isMissing(value) ? 'missing' : `${shown(value)} is no time`, done)
    return moment?.ms ?? otherwise
  }

  return {
    text,
    flag,
    list,
    texts,
    cents,
    time,
    at,
    /** as it stands */
    raw: take,
    has: (name: string) => Object.hasOwn(fields, name) && !isMissing(fields[name]),
    /** null when it is missing or no map */
    part(name: string) {
      const value = take(name)
      return isMap(value) ? openFields(value, note, `${at(name)}.`) : null
    },
    /** Every field that nobody has read (nothing is lost unseen). */
    end() {
      for (const name of Object.keys(fields))
        if (!read.has(name) && name !== '__collections__')
          note(at(name), `${shown(fields[name])} is a field that this shop does not know`, 'not taken')
    },
  }
}
