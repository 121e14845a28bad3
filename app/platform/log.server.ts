/** One line of JSON for each thing worth knowing, with the id of its request; never what a customer typed (046). */
import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import { redacted, redactedError, redactedFields } from './redact.server.ts'
import { currentVisit } from './visit.server.ts'

export type Log = { info: (message: string, about?: object) => void; error: (message: string, error: unknown, about?: object) => void }

export const logLevels = ['debug', 'info', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type Setup = {
  level?: LogLevel
  write?: (line: string, isError: boolean) => void
  onError?: () => void
}

const toTerminal = (line: string, isError: boolean) => void (isError ? process.stderr : process.stdout).write(line)
const ERROR = 50

export function openLog({ level = 'info', write = toTerminal, onError = () => {} }: Setup = {}): Log {
  let pino: Logger | undefined
  // A shop that has nothing to say starts without the library.
  const lines = () => (pino ??= openPino(level, write))
  return {
    info: (message, about = {}) => lines().info(redactedFields(about), redacted(message)),
    error: (message, error, about = {}) => {
      onError()
      lines().error({ ...redactedFields(about), error: error === undefined ? undefined : redactedError(error) }, redacted(message))
    },
  }
}

function openPino(level: LogLevel, write: (line: string, isError: boolean) => void): Logger {
  const { pino } = createRequire(import.meta.url)('pino') as typeof import('pino')
  const stream = {
    // Tells the stream the level of each line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      write(line, this.lastLevel >= ERROR)
    },
  }
  return pino(
    {
      level,
      base: undefined,
      messageKey: 'message',
      // Its own form of an error would tell all its properties.
      serializers: { err: redactedError, error: (text: unknown) => text },
      errorKey: 'error',
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const visit = currentVisit()
        return visit ? { requestId: visit.requestId, route: visit.findRoute?.() } : {}
      },
    },
    stream,
  )
}

export const consoleLog: Log = openLog()
