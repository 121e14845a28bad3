/** Renders the whole page before it answers: nothing is streamed, so the status and the headers are final. */
import { Writable } from 'node:stream'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import {
  isRouteErrorResponse,
  ServerRouter,
  useRouteLoaderData,
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
} from 'react-router'
import { ThemeOfRequest } from './features/accounts/theme-toggle.tsx'
import { keptMain, learnMain, withMain, type Pieces } from './features/catalog/kept-gallery.server.ts'
import { Footer } from './features/settings/footer.tsx'
import { pageContext, shopContext, userContext } from './platform/context.ts'
import { dataScripts } from './platform/data-scripts.server.ts'
import { withStyles } from './platform/inlined.server.ts'
import { scriptsLast } from './platform/scripts-last.server.ts'
import { withText } from './platform/whole-text.server.ts'
import type { loader as rootLoader } from './root.tsx'

const TIME_LIMIT = 6000
/** React's mark of a part that was not ready: only `renderToPipeableStream` waits for it. No text of a page can hold it unescaped. */
const NOT_READY = '<!--$!-->'

/** null: something of the page is not ready, or has failed; whoever waits for it finds out which. */
function renderAtOnce(page: React.ReactElement): string | null {
  try {
    const html = renderToString(page)
    return html.includes(NOT_READY) ? null : `<!DOCTYPE html>${html}`
  } catch {
    return null
  }
}

const GALLERY = 'routes/store/gallery'

/** 040: a gallery that was written before is put into what is around it. `render`: the page as `entry` has it. */
function renderGallery(entry: EntryContext, url: string, render: () => string | null): string | null {
  const { staticHandlerContext, routeModules } = entry
  const gallery = staticHandlerContext.loaderData[GALLERY] as Pieces | undefined
  const route = routeModules[GALLERY]
  if (!gallery || !route || staticHandlerContext.errors) return render()
  const { pathname, search } = new URL(url)
  const address = pathname + search
  const main = keptMain(address, gallery)
  if (main !== null) {
    entry.routeModules = { ...routeModules, [GALLERY]: { ...route, default: AroundGallery } }
    const around = render()
    entry.routeModules = routeModules
    const html = around && withMain(around, main)
    if (html) return html
  }
  const html = render()
  if (html) learnMain(address, gallery, html)
  return html
}

/** As the route, with a hole for what is kept. */
const AroundGallery = () => (
  <>
    <main id="main" />
    <Footer settings={useRouteLoaderData<typeof rootLoader>('root')!.settings} />
  </>
)

export default async function handleRequest(
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
  headers.set('Content-Type', 'text/html; charset=utf-8')
  // 040: the router would hand the data to React as a stream; here they are whole already, and are put behind what React has written.
  const scripts = await dataScripts(entry, nonce)
  const page = (
    <ThemeOfRequest value={theme}>
      <ServerRouter context={entry} url={request.url} nonce={nonce} />
    </ThemeOfRequest>
  )
  const html = renderGallery(entry, request.url, () => renderAtOnce(page)) ?? (await renderPatiently(page, nonce, told))
  const dressed = context.get(userContext) === null ? withStyles(html) : html
  return withText(new Response(null, { status, headers }), scriptsLast(dressed, scripts, nonce))

  function told(error: unknown) {
    status = 500
    log.error('a page could not be rendered', error)
  }
}

/** The first time that a page needs a part whose program is still to be loaded. */
function renderPatiently(page: React.ReactElement, nonce: string | undefined, onError: (error: unknown) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const sink = new Writable({
      write(chunk, _encoding, done) {
        chunks.push(chunk)
        done()
      },
      final(done) {
        resolve(Buffer.concat(chunks).toString())
        done()
      },
    })
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      // Parts whose program comes later stand in their place, however large: moving them there would take a script.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onAllReady() {
        clearTimeout(timer)
        pipe(sink)
      },
      onShellError: reject,
      onError,
    })
    const timer = setTimeout(abort, TIME_LIMIT)
  })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // What a route says of itself is no surprise; of an outage (503) the log has the cause already.
  if (request.signal.aborted || (isRouteErrorResponse(error) && (error.status < 500 || error.status === 503))) return
  context.get(shopContext).log.error('a request failed', error)
}
