import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
} from 'react-router'
import { requestInfoContext, appContext } from './services/context.ts'
import { RequestThemeContext } from './ui/layout/theme-toggle.tsx'

export const streamTimeout = 5_000
const HIGH_WATER_MARK_BYTES = 16 * 1024 * 1024

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> | Response {
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const info = context.get(requestInfoContext)
  const nonce = info.nonce ?? undefined
  const { log } = context.get(appContext)
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => abort(), streamTimeout + 1000)
    const { pipe, abort } = renderToPipeableStream(
      <RequestThemeContext value={info.theme}>
        <ServerRouter
          context={routerContext}
          url={request.url}
          nonce={nonce}
        />
      </RequestThemeContext>,
      {
        nonce,
        // With a limit, React would send large parts last, and a script would have to move them.
        progressiveChunkSize: Number.MAX_SAFE_INTEGER,
        onAllReady() {
          clearTimeout(timeout)
          headers.set('Content-Type', 'text/html; charset=utf-8')
          headers.set('Link', preloadLinks(routerContext))
          pipe(collect((html) => resolve(new Response(html, { status, headers }))))
        },
        onShellError: reject,
        onError(error) {
          status = 500
          log.error('a page could not be rendered', error)
        },
      },
    )
  })
}

/** React's own preload links have a high priority, which would delay the first paint. [S-440] */
function preloadLinks({ manifest, staticHandlerContext }: EntryContext) {
  const routes = staticHandlerContext.matches.flatMap(
    ({ route }) => manifest.routes[route.id] ?? [],
  )
  const styles = routes.flatMap(({ css = [] }) => css)
  const scripts = [manifest.entry, ...routes].flatMap(({ module, imports = [] }) => [
    module,
    ...imports,
  ])
  return [
    ...styles.map((url) => `<${url}>; rel=preload; as=style`),
    ...[...new Set(scripts)].map((url) => `<${url}>; rel=modulepreload; fetchpriority=low`),
  ].join(', ')
}

function collect(whenComplete: (page: Buffer<ArrayBuffer>) => void) {
  const parts: Uint8Array[] = []
  return new Writable({
    highWaterMark: HIGH_WATER_MARK_BYTES,
    write(part: Uint8Array, _encoding, done) {
      parts.push(part)
      done()
    },
    final(done) {
      whenComplete(Buffer.concat(parts))
      done()
    },
  })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (
    request.signal.aborted ||
    (isRouteErrorResponse(error) && (error.status < 500 || error.status === 503))
  ) {
    return
  }
  context.get(appContext).log.error('a request failed', error)
}
