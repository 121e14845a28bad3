/** Sends traces to an OpenTelemetry collector. The traces contain route patterns and SQL statements without values, but no personal data. */
import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { LogEvent } from 'kysely'
import type { ServerInstrumentation } from 'react-router'
import { currentRequestContext } from './request-context.server.ts'

export type Traces = ReturnType<typeof createTraces>
type Settings = {
  endpoint: string
  serviceName: string
  version: string
  dialect: 'sqlite' | 'postgresql'
}

/** Shutdown waits at most this many milliseconds for a collector that does not answer. */
const EXPORT_TIMEOUT_MS = 3000

export function createTraces({ endpoint, serviceName, version, dialect }: Settings) {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  // In tests, another shop in the same process may already have set the context manager. This call then has no effect.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('shop')
  return {
    watcher: createInstrumentation(tracer),
    onQuery: (event: LogEvent) => recordQuery(tracer, dialect, event),
    close: () =>
      Promise.race([
        provider.shutdown(),
        new Promise<void>((done) => setTimeout(done, EXPORT_TIMEOUT_MS).unref()),
      ]).catch(() => {}),
  }
}

const createInstrumentation = (tracer: Tracer): ServerInstrumentation => ({
  handler(handler) {
    handler.instrument({
      request: (handle, { request }) =>
        tracer.startActiveSpan(
          request.method,
          { kind: SpanKind.SERVER, root: true },
          async (span) => {
            const { meta, statusCode } = await handle()
            const route = `/${meta?.pattern ?? ''}`.replace(/^\/+/, '/')
            span.updateName(`${request.method} ${route}`)
            span.setAttributes({
              'http.request.method': request.method,
              'http.route': route,
              'http.response.status_code': statusCode,
            })
            const requestId = currentRequestContext()?.requestId
            if (requestId) span.setAttribute('shop.request_id', requestId)
            if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
            span.end()
          },
        ),
    })
  },
  route(route) {
    const following =
      (kind: 'loader' | 'action' | 'middleware') =>
      (handle: () => Promise<{ status: string; error: Error | undefined }>) =>
        tracer.startActiveSpan(`${kind} ${route.id}`, async (span) => {
          const { error } = await handle()
          if (error) fail(span, error)
          span.end()
        })
    route.instrument({
      loader: following('loader'),
      action: following('action'),
      middleware: following('middleware'),
    })
  },
})

/** Marks a span as failed without the error's message, which could contain text that a user typed. */
function fail(span: Span, error: Error): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', error.name)
}

/** Records a database query as a span. Queries outside of an HTTP request are ignored. */
function recordQuery(tracer: Tracer, dialect: string, event: LogEvent): void {
  if (!trace.getActiveSpan()) return
  const { sql } = event.query
  const end = Date.now()
  const span = tracer.startSpan(/^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? 'SQL', {
    kind: SpanKind.CLIENT,
    startTime: end - event.queryDurationMillis,
    attributes: { 'db.system.name': dialect, 'db.query.text': sql },
  })
  if (event.level === 'error' && event.error instanceof Error) fail(span, event.error)
  span.end(end)
}
