import { AsyncLocalStorage } from 'node:async_hooks'

export type RequestContext = {
  address: string
  /** closes the connection and returns true, or returns false if the whole body has arrived */
  closeIfReceiving?: () => boolean
  requestId?: string
  /** returns the route pattern in app/routes.ts; the log contains this pattern instead of the URL, because a URL may contain the id of a testimony ticket or a code */
  findRoute?: () => string | undefined
}

const requestContexts = new AsyncLocalStorage<RequestContext>()

export const runWithRequestContext = <Result>(visit: RequestContext, work: () => Result): Result =>
  requestContexts.run(visit, work)
export const currentRequestContext = (): RequestContext | undefined => requestContexts.getStore()
