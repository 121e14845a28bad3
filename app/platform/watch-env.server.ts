/** Settings of those who watch over the shop: what is logged, who reads the figures, where traces go (046). */
import { z } from 'zod'
import { logLevels, type LogLevel } from './log.server.ts'

const blankIsUnset = (value: unknown) => (value === '' ? undefined : value)
const setting = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsUnset, schema)
const isHttp = (text: string) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)

export const watchSettings = {
  LOG_LEVEL: setting(z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info')),
  ACCESS_LOG: setting(z.enum(['0', '1'], 'must be 0 or 1').default('0')),
  METRICS_TOKEN: setting(z.string().regex(/^\S+$/, 'must have no spaces').min(16, 'must have at least 16 characters').optional()),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(z.string().refine(isHttp, 'must be a http or https address').optional()),
  OTEL_SERVICE_NAME: setting(z.string().trim().max(100, 'must have at most 100 characters').default('knots-and-love')),
}

export type Watch = {
  logLevel: LogLevel
  accessLog: boolean
  /** who may read /metrics from elsewhere; null: only programs on this machine */
  metricsToken: string | null
  /** where traces go; null: nowhere */
  traces: { endpoint: string; serviceName: string } | null
}

type Read = {
  LOG_LEVEL: LogLevel
  ACCESS_LOG: '0' | '1'
  METRICS_TOKEN?: string
  OTEL_EXPORTER_OTLP_ENDPOINT?: string
  OTEL_SERVICE_NAME: string
}

export const readWatch = (env: Read): Watch => ({
  logLevel: env.LOG_LEVEL,
  accessLog: env.ACCESS_LOG === '1',
  metricsToken: env.METRICS_TOKEN ?? null,
  traces: env.OTEL_EXPORTER_OTLP_ENDPOINT ? { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: env.OTEL_SERVICE_NAME } : null,
})
