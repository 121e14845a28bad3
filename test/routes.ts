/** The built route table as tests walk it. */
import { routes } from 'virtual:react-router/server-build'

export type Walked = { id: string; path: string; hasPage: boolean; hasAction: boolean }

const pathOf = (id: string | undefined): string => {
  const route = id ? routes[id] : undefined
  return route ? `${pathOf(route.parentId)}/${route.path ?? ''}`.replace(/\/+/g, '/') : ''
}

/** Every route with an address of its own; parameters stand as in app/routes.ts. */
export const walkedRoutes: Walked[] = Object.entries(routes)
  .filter(([id]) => id !== 'root')
  .map(([id, route]) => ({
    id,
    path: pathOf(id),
    hasPage: Boolean(route!.module.default),
    hasAction: Boolean(route!.module.action),
  }))

/** The address with each parameter filled in; an optional one too, a splat as well. */
export const fill = (path: string, value: string): string => path.replace(/:\w+\??/g, value).replace(/\*$/, value)

/** The address of the data behind a page. */
export const dataOf = (path: string): string => `${path.replace(/\/$/, '') || '/_root'}.data`
