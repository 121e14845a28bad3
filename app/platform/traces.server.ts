/** For an OpenTelemetry collector (046): routes stand as patterns and queries without values, so nothing of a person leaves. */
import { context, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { LogEvent } from 'kysely'
import type { ServerInstrumentation } from 'react-router'
import { currentVisit } from './visit.server.ts'

export type Traces = ReturnType<typeof openTraces>
type Settings = { endpoint: string; serviceName: string; version: string; dialect: 'sqlite' | 'postgresql' }

/** A collector that is gone must not keep the shop from stopping. */
const PATIENCE = 3000

export function openTraces({ endpoint, serviceName, version, dialect }: Settings) {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: PATIENCE })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  // Another shop of the same process may have set it, in tests.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('shop')
  return {
    watcher: watcherOf(tracer),
    onQuery: (event: LogEvent) => noteQuery(tracer, dialect, event),
    close: () => Promise.race([provider.shutdown(), new Promise<void>((done) => setTimeout(done, PATIENCE).unref())]).catch(() => {}),
  }
}

const watcherOf = (tracer: Tracer): ServerInstrumentation => ({
  handler(handler) {
    handler.instrument({
      request: (handle, { request }) =>
        tracer.startActiveSpan(request.method, { kind: SpanKind.SERVER, root: true }, async (span) => {
          const { meta, statusCode } = await handle()
          const route = `/${meta?.pattern ?? ''}`.replace(/^\/+/, '/')
          span.updateName(`${request.method} ${route}`)
          span.setAttributes({ 'http.request.method': request.method, 'http.route': route, 'http.response.status_code': statusCode })
          const requestId = currentVisit()?.requestId
          if (requestId) span.setAttribute('shop.request_id', requestId)
          if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }),
    })
  },
  route(route) {
    const following = (kind: 'loader' | 'action' | 'middleware') => (handle: () => Promise<{ status: string; error: Error | undefined }>) =>
      tracer.startActiveSpan(`${kind} ${route.id}`, async (span) => {
        const { error } = await handle()
        if (error) fail(span, error)
        span.end()
      })
    route.instrument({ loader: following('loader'), action: following('action'), middleware: following('middleware') })
  },
})

/** What kind of error, not what it says: that may repeat what was typed. */
function fail(span: Span, error: Error): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', error.name)
}

/** Told once the query is done; those of no request (background work) are left out. */
function noteQuery(tracer: Tracer, dialect: string, event: LogEvent): void {
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
