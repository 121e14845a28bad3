import { AsyncLocalStorage } from 'node:async_hooks'

export type RequestContext = {
  address: string
  requestId?: string
  /** returns the pattern in app/routes.ts, which is logged instead of the URL, because a URL may contain a ticket or a code */
  findRoute?: () => string | undefined
}

const requestContexts = new AsyncLocalStorage<RequestContext>()

export const runWithRequestContext = <Result>(visit: RequestContext, work: () => Result): Result => requestContexts.run(visit, work)
export const currentRequestContext = (): RequestContext | undefined => requestContexts.getStore()
