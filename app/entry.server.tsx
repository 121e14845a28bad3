/** Renders the whole page before it answers: nothing is streamed, so the status and the headers are final. */
import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import { isRouteErrorResponse, ServerRouter, type EntryContext, type HandleErrorFunction, type RouterContextProvider } from 'react-router'
import { ThemeOfRequest } from './features/accounts/theme-toggle.tsx'
import { pageContext, shopContext } from './platform/context.ts'
import { scriptsLast } from './platform/scripts-last.server.ts'

const TIME_LIMIT = 6000

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: Readonly<RouterContextProvider>,
) {
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const { theme, nonce: ofPage } = context.get(pageContext)
  const nonce = ofPage ?? undefined
  const { log } = context.get(shopContext)
  return new Promise<Response>((resolve, reject) => {
    const chunks: Buffer[] = []
    const sink = new Writable({
      write(chunk, _encoding, done) {
        chunks.push(chunk)
        done()
      },
      final(done) {
        headers.set('Content-Type', 'text/html; charset=utf-8')
        const html = Buffer.concat(chunks).toString()
        // Development's tools bring scripts of their own.
        resolve(new Response(nonce ? scriptsLast(html, nonce) : html, { status, headers }))
        done()
      },
    })
    const page = (
      <ThemeOfRequest value={theme}>
        <ServerRouter context={entry} url={request.url} nonce={nonce} />
      </ThemeOfRequest>
    )
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      onAllReady() {
        clearTimeout(timer)
        pipe(sink)
      },
      onShellError: reject,
      onError(error) {
        status = 500
        log.error('a page could not be rendered', error)
      },
    })
    const timer = setTimeout(abort, TIME_LIMIT)
  })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  context.get(shopContext).log.error('a request failed', error, { path: new URL(request.url).pathname })
}
