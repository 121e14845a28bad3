/** Which route of app/routes.ts an address belongs to, as its pattern: `/item/:itemid`. For lines of the log; measuring asks the router itself. */
import { matchRoutes, type RouteObject, type ServerInstrumentation } from 'react-router'
import { routes } from 'virtual:react-router/server-build'
import { currentVisit } from '#app/platform/visit.server.ts'

let tree: RouteObject[] | undefined

const childrenOf = (parent: string | undefined): RouteObject[] =>
  Object.values(routes)
    .filter((route) => route!.parentId === parent)
    .map((route) => (route!.index ? { id: route!.id, index: true } : { id: route!.id, path: route!.path, children: childrenOf(route!.id) }))

/** The data of a page is of its route. */
const pageOf = (pathname: string) => pathname.replace(/^\/_root\.data$/, '/').replace(/\/?_?\.data$/, '') || '/'

export function routePattern(request: Request): string {
  tree ??= childrenOf(undefined)
  try {
    const matches = matchRoutes(tree, pageOf(new URL(request.url).pathname)) ?? []
    return `/${matches.flatMap(({ route }) => route.path ?? []).join('/')}`.replace(/\/{2,}/g, '/')
  } catch {
    // An address that does not decode.
    return 'unreadable'
  }
}

/** Says during a request what the router has found. */
export const routeWatcher: ServerInstrumentation = {
  handler(handler) {
    handler.instrument({
      async request(handle) {
        const { meta } = await handle()
        const visit = currentVisit()
        if (visit && meta) visit.route = `/${meta.pattern}`.replace(/^\/+/, '/')
      },
    })
  },
}
