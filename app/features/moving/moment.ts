/** Points in time as exports write them: Firestore timestamps of every tool, ISO texts, and numbers. */
import { wordOf } from './moving.ts'

const LAST = 8.64e15
const isTime = (ms: number) => Number.isSafeInteger(ms) && Math.abs(ms) <= LAST
const asMap = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {})

export type Moment = { ms: number; isCoerced: boolean } | null

/** UTC milliseconds, of anything that means a time; `isCoerced` when that had to be guessed. Parts below a millisecond are dropped. */
export function readMoment(value: unknown): Moment {
  if (typeof value === 'number') {
    // Between 1973 and 5138 as seconds, within a few months of 1970 as milliseconds: nobody sold macrame then.
    const isSeconds = value >= 1e8 && value < 1e11
    return atMs(Math.floor(isSeconds ? value * 1000 : value), isSeconds)
  }
  if (typeof value === 'string') {
    if (/^-?\d{1,16}$/.test(value)) return coerced(readMoment(Number(value)))
    const isIso = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value)
    return atMs(Date.parse(value), !isIso)
  }
  const map = asMap(value)
  if ('__datatype__' in map) return map.__datatype__ === 'timestamp' ? readMoment(map.value) : null
  if (typeof map.__time__ === 'string') return readMoment(map.__time__)
  if (typeof map.timestampValue === 'string') return readMoment(map.timestampValue)
  const seconds = map._seconds ?? map.seconds
  if (typeof seconds !== 'number' && !/^-?\d{1,13}$/.test(wordOf(seconds))) return null
  const nanoseconds = Number(wordOf(map._nanoseconds ?? map.nanoseconds ?? map.nanos ?? 0))
  return atMs(Number(seconds) * 1000 + Math.floor((Number.isFinite(nanoseconds) ? nanoseconds : 0) / 1e6), false)
}

const atMs = (ms: number, isCoerced: boolean): Moment => (isTime(ms) ? { ms, isCoerced } : null)
const coerced = (moment: Moment): Moment => moment && { ...moment, isCoerced: true }

/** As node-firestore-import-export writes it, so that its import takes our export back. */
export const timestamp = (ms: number) => {
  const seconds = Math.floor(ms / 1000)
  return { __datatype__: 'timestamp', value: { _seconds: seconds, _nanoseconds: (ms - seconds * 1000) * 1_000_000 } }
}
