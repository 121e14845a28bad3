import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import { redacted, redactedError, redactedFields } from './redact.server.ts'
import { currentRequestContext } from './request-context.server.ts'

export type Log = {
  info: (message: string, about?: object) => void
  error: (message: string, error: unknown, about?: object) => void
}

export const logLevels = ['debug', 'info', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

function toTerminal(line: string, isError: boolean) {
  const stream = isError ? process.stderr : process.stdout
  stream.write(line)
}
const ERROR_LEVEL = 50

export function createLog({
  level = 'info' as LogLevel,
  write = toTerminal,
  onError = () => {},
} = {}): Log {
  let pino: Logger | undefined
  const lines = () => (pino ??= createPino(level, write))
  return {
    info: (message, about = {}) => lines().info(redactedFields(about), redacted(message)),
    error: (message, error, about = {}) => {
      onError()
      lines().error(
        { ...redactedFields(about), error: error === undefined ? undefined : redactedError(error) },
        redacted(message),
      )
    },
  }
}

function createPino(level: LogLevel, write: typeof toTerminal) {
  const { pino } = createRequire(import.meta.url)('pino') as typeof import('pino')
  const stream = {
    // This makes pino set `lastLevel`.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      write(line, this.lastLevel >= ERROR_LEVEL)
    },
  }
  return pino(
    {
      level,
      base: undefined,
      messageKey: 'message',
      // pino's serializer would log all properties of an error.
      serializers: { err: redactedError, error: (text: unknown) => text },
      errorKey: 'error',
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const visit = currentRequestContext()
        return visit ? { requestId: visit.requestId, route: visit.findRoute?.() } : {}
      },
    },
    stream,
  )
}

export const consoleLog: Log = createLog()
