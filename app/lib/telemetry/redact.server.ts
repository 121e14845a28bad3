/** Removes personal data from log lines: email addresses, access tokens, and text that a user typed. */

const MAX_LENGTH = 8000
/** A text is first split into words, so that malicious input cannot make the pattern of email addresses slow. */
const word = /[^\s<>"'`()[\]{},;:=]+/g
const mail = /^.[^@]*@.[^.]*\../
const password = /\b(\w+:\/\/)[^\s/@]+@/g
const query = /(\/[^\s"'<>?]{0,1000})\?[^\s"'<>)]+/g
/** This pattern matches a verification code: 28 characters in groups of four. */
const code = /\b(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}\b/gi

export const redacted = (text: string): string =>
  text
    .slice(0, MAX_LENGTH)
    .replace(password, '$1…@')
    .replace(word, (one) => (mail.test(one) ? '[email]' : one))
    .replace(query, '$1?…')
    .replace(code, '[code]')

type Failure = Error & { code?: unknown; severity?: unknown }

/** The error messages of PostgreSQL and JSON.parse may quote text that a user typed. */
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
