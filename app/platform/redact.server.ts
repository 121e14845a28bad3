/** What a log must not keep: addresses, tokens, and whatever somebody typed (046). */

const SHOWN = 8000
/** Each is looked for once from the beginning of a word: what a stranger makes up must not hold up the process. */
const word = /[^\s<>"'`()[\]{},;:=]+/g
const mail = /^.[^@]*@.[^.]*\../
const password = /\b(\w+:\/\/)[^\s/@]+@/g
const query = /(\/[^\s"'<>?]{0,1000})\?[^\s"'<>)]+/g
/** A letter's code: 28 signs in groups of four (036). */
const code = /\b(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}\b/gi

export const redacted = (text: string): string =>
  text
    .slice(0, SHOWN)
    .replace(password, '$1…@')
    .replace(word, (one) => (mail.test(one) ? '[e-mail]' : one))
    .replace(query, '$1?…')
    .replace(code, '[code]')

type Failure = Error & { code?: unknown; severity?: unknown }

/** PostgreSQL and JSON.parse repeat in their messages what was typed; every other library names its own things in quotes. */
const repeatsInput = (error: Failure) =>
  error instanceof SyntaxError || (typeof error.severity === 'string' && /^2[23]/.test(String(error.code)))

const MOST_CAUSES = 3

export function redactedError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return redacted(String(error))
  const { message } = error
  const stack = error.stack ?? message
  const told = repeatsInput(error) ? stack.replace(message, () => withoutQuotes(message)) : stack
  const cause = error.cause !== undefined && depth < MOST_CAUSES ? `\ncaused by ${redactedError(error.cause, depth + 1)}` : ''
  return `${redacted(told)}${cause}`
}

const withoutQuotes = (message: string) => message.replace(/(["'])[\s\S]*\1/g, '$1…$1').split('\n')[0]!

/** Fields that are personal whatever is in them. */
const personal = new Set(['email', 'name', 'password', 'token', 'code', 'text', 'subject', 'to', 'toAddress', 'replyTo', 'ip', 'address'])

export function redactedFields(about: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(about).map(([key, value]) => [key, personal.has(key) ? '[removed]' : redactedValue(value)]))
}

function redactedValue(value: unknown): unknown {
  if (typeof value === 'string') return redacted(value)
  if (value instanceof Error) return redactedError(value)
  if (Array.isArray(value)) return value.map(redactedValue)
  return typeof value === 'object' && value !== null ? redactedFields(value) : value
}
