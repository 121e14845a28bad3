const MAX_LENGTH = 8000
/** Splitting into words keeps the patterns fast on malicious input. */
const word = /[^\s<>"'`()[\]{},;:=]+/g
const mail = /^.[^@]*@.[^.]*\../
const password = /\b(\w+:\/\/)[^\s/@]+@/g
const query = /(\/[^\s"'<>?]{0,1000})\?[^\s"'<>)]+/g
const code = /\b(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}\b/gi

export const redacted = (text: string) =>
  text
    .slice(0, MAX_LENGTH)
    .replace(password, '$1…@')
    .replace(word, (part) => (mail.test(part) ? '[email]' : part))
    .replace(query, '$1?…')
    .replace(code, '[code]')

type Failure = Error & { code?: unknown; severity?: unknown }

/** Syntax errors and PostgreSQL's errors of the classes 22 and 23 may quote what a user typed. */
const quotesInput = (error: Failure) =>
  error instanceof SyntaxError ||
  (typeof error.severity === 'string' && /^2[23]/.test(String(error.code)))

const MAX_CAUSES = 3

export function redactedError(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return redacted(String(error))
  const { message } = error
  const stack = error.stack ?? message
  const text = quotesInput(error) ? stack.replace(message, () => withoutQuotes(message)) : stack
  const cause =
    error.cause !== undefined && depth < MAX_CAUSES
      ? `\ncaused by ${redactedError(error.cause, depth + 1)}`
      : ''
  return `${redacted(text)}${cause}`
}

const withoutQuotes = (message: string) =>
  message.replace(/(["'])[\s\S]*\1/g, '$1…$1').split('\n')[0]!

const personal = new Set([
  'email',
  'name',
  'password',
  'token',
  'code',
  'text',
  'subject',
  'to',
  'toAddress',
  'replyTo',
  'ip',
  'address',
])

export function redactedFields(about: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(about).map(([key, value]) => [
      key,
      personal.has(key) ? '[removed]' : redactedValue(value),
    ]),
  )
}

function redactedValue(value: unknown): unknown {
  if (typeof value === 'string') return redacted(value)
  if (value instanceof Error) return redactedError(value)
  if (Array.isArray(value)) return value.map(redactedValue)
  return typeof value === 'object' && value !== null ? redactedFields(value) : value
}
