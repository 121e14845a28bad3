import { withoutControlCharacters } from '#lib/text/control-characters.ts'
import { storableText } from '#lib/text/storable-text.ts'
import type { Insertable } from 'kysely'
import type { Tables } from '#db/schema.ts'
import type { Cents } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'

/**
 * The import reads collections in this order, so that references find their targets. [section 3]
 */
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

export type Fields = Record<string, unknown>
export type Documents = Record<Collection, Map<string, Fields>>

export type Issue = { where: string; field: string; what: string; done: string }
export type ReportIssue = (issue: Issue) => void
type AddFinding = (field: string, what: string, done: string) => void

/** Rows are inserted in this order, because of the foreign keys. */
export const importedTables = [
  'user',
  'categories',
  'colors',
  'items',
  'itemImages',
  'itemImageColors',
  'showcase',
  'favorites',
  'orders',
  'orderItems',
  'messages',
  'readReceipts',
  'reminders',
  'sales',
  'testimonies',
  'testimonyItems',
] as const
export type Rows = { [Table in (typeof importedTables)[number]]: Insertable<Tables[Table]>[] }

export type ImportContext = {
  rows: Rows
  documents: Documents
  images: ReadonlyMap<string, string>
  uid: (uid: string) => string
  hasAccount: (uid: string) => boolean
  /** Several uids with the same email address share one account. */
  accountOf: (uid: string) => string
  now: number
}

export type ReadInto = (reading: {
  id: string
  reader: FieldReader
  context: ImportContext
  place: number
}) => boolean

export const UNSORTED = { id: 'unsorted', title: 'Unsorted', color: '#8a8078' }

export const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

export function reportValue(value: unknown) {
  const text = JSON.stringify(value) ?? String(value)
  const plain = text.replace(CONTROL_CHARACTERS, '?')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

export const toText = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

const MAX_CENTS = 999_999_999
const MAX_TIME = 8.64e15

/**
 * node-firestore-import-export wraps special types. A reference is a path that ends with the id.
 */
function unwrap(value: unknown): unknown {
  if (!isMap(value) || !('__datatype__' in value)) return value
  if (value.__datatype__ === 'documentReference' && typeof value.value === 'string') {
    return value.value.split('/').at(-1)
  }
  return value.value
}

/** '1.234' may mean 1,234, so three decimals are no price. */
const DECIMAL = /^-?\d+(?:\.(?:\d{1,2}|\d{4,}))?$/

/** Parses dollars and rounds half a cent up. Returns null for an invalid value. [S-065] */
export function parseCents(value: unknown): Cents | null {
  if (typeof value === 'string') {
    return parseMoney(value) ?? (DECIMAL.test(value.trim()) ? parseCents(Number(value)) : null)
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  // "e2" multiplies exactly; 1.005 * 100 is less than 100.5.
  const exact = Number(`${value}e2`)
  const cents = Math.floor((Number.isNaN(exact) ? value * 100 : exact) + 0.5)
  return Math.abs(cents) <= MAX_CENTS ? cents || 0 : null
}

export function parseTime(raw: unknown) {
  const value = unwrap(raw)
  if (isMap(value)) {
    const seconds = value._seconds ?? value.seconds
    if (seconds === undefined) return parseTime(value.__time__ ?? value.timestampValue)
    const nanoseconds = Number(toText(value._nanoseconds ?? value.nanoseconds ?? value.nanos ?? 0))
    return validTime(Number(toText(seconds)) * 1000 + Math.floor(nanoseconds / 1e6))
  }
  if (typeof value === 'number') {
    return validTime(Math.floor(isInSeconds(value) ? value * 1000 : value))
  }
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value)
    ? validTime(Date.parse(value))
    : null
}

/** As milliseconds, such a number would be a time before March 1973. */
const isInSeconds = (value: number) => Math.abs(value) < 1e11

const validTime = (ms: number) => (Number.isSafeInteger(ms) && Math.abs(ms) <= MAX_TIME ? ms : null)

export class FieldReader {
  readonly #fields: Fields
  readonly #addFinding: AddFinding
  readonly #path: string
  readonly #readNames = new Set<string>()

  constructor(fields: Fields, addFinding: AddFinding, path = '') {
    this.#fields = fields
    this.#addFinding = addFinding
    this.#path = path
  }

  note(name: string, what: string, done: string) {
    this.#addFinding(`${this.#path}${name}`, what, done)
  }

  noteInvalid(name: string, value: unknown, kind: string, done: string) {
    this.note(name, value === undefined ? 'missing' : `${reportValue(value)} is ${kind}`, done)
  }

  raw(name: string): unknown {
    this.#readNames.add(name)
    return Object.hasOwn(this.#fields, name) ? (unwrap(this.#fields[name]) ?? undefined) : undefined
  }

  has(name: string) {
    return Object.hasOwn(this.#fields, name) && (this.#fields[name] ?? null) !== null
  }

  text(name: string, otherwise?: string) {
    const value = this.raw(name)
    if (value === undefined) {
      if (otherwise !== undefined) {
        const outcome = otherwise === '' ? 'left empty' : `read as ${reportValue(otherwise)}`
        this.note(name, 'missing', outcome)
      }
      return otherwise ?? ''
    }
    const raw = toText(value)
    const text = withoutControlCharacters(storableText(raw))
    if (typeof value !== 'string') {
      this.noteInvalid(name, value, 'not text', `read as ${reportValue(text)}`)
    } else if (text !== raw) {
      this.note(name, 'contains invisible control characters', 'they were removed')
    }
    return text
  }

  flag(name: string, otherwise: boolean, mayBeMissing = false) {
    const value = this.raw(name)
    if (typeof value === 'boolean') return value
    if (value === undefined && mayBeMissing) return otherwise
    const word = toText(value).toLowerCase()
    const isYes = ['true', '1', 'yes'].includes(word)
    const isNo = ['false', '0', 'no', ''].includes(word)
    const flag = isYes || (!isNo && otherwise)
    this.noteInvalid(name, value, 'neither true nor false', `read as ${flag}`)
    return flag
  }

  choice<Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]) {
    const value = this.raw(name)
    const choice = choices.find((candidate) => candidate === value)
    if (choice === undefined && value !== undefined) {
      this.noteInvalid(name, value, 'unknown', `read as ${reportValue(choices[0])}`)
    }
    return choice ?? choices[0]
  }

  #list(name: string, mayBeMissing = false) {
    const value = this.raw(name)
    if (Array.isArray(value)) return value.map(unwrap)
    if (value !== undefined) this.noteInvalid(name, value, 'not a list', 'not imported')
    else if (!mayBeMissing) this.note(name, 'missing', 'read as an empty list')
    return []
  }

  parts(name: string) {
    return this.#list(name).flatMap((entry, index) => {
      const place = `${this.#path}${name}[${index}]`
      if (isMap(entry)) {
        return [{ place, part: new FieldReader(entry, this.#addFinding, `${place}.`) }]
      }
      this.noteInvalid(`${name}[${index}]`, entry, 'not a map', 'not imported')
      return []
    })
  }

  part(name: string) {
    const value = this.raw(name)
    return isMap(value) ? new FieldReader(value, this.#addFinding, `${this.#path}${name}.`) : null
  }

  ids(name: string, mayBeMissing = false) {
    const ids = this.#list(name, mayBeMissing).flatMap((entry, index) => {
      if (typeof entry === 'string' && entry !== '') return [storableText(entry)]
      this.noteInvalid(`${name}[${index}]`, entry, 'not an id', 'not imported')
      return []
    })
    return [...new Set(ids)]
  }

  cents(name: string, done?: string, min = 0) {
    const value = this.raw(name)
    const price = parseCents(value)
    if (price === null || price < min) {
      if (done !== undefined) this.noteInvalid(name, value, 'not a price', done)
      return null
    }
    if (value !== price / 100) {
      const why = typeof value === 'string' ? 'text, no number' : 'finer than a cent'
      this.noteInvalid(name, value, why, `read as ${(price / 100).toFixed(2)}`)
    }
    return price
  }

  time(name: string, otherwise: number, done: string) {
    const value = this.raw(name)
    const ms = parseTime(value)
    if (ms === null) this.noteInvalid(name, value, 'not a valid time', done)
    else if (typeof value === 'number' && isInSeconds(value)) {
      this.noteInvalid(name, value, 'a number of seconds', `read as ${new Date(ms).toISOString()}`)
    }
    return ms ?? otherwise
  }

  end() {
    for (const [name, value] of Object.entries(this.#fields)) {
      if (this.#readNames.has(name) || name === '__collections__') continue
      this.noteInvalid(name, value, 'a field that this shop does not know', 'not imported')
    }
  }
}
