import { AsyncLocalStorage } from 'node:async_hooks'

export type RequestContext = {
  address: string
  requestId?: string
  /** the pattern in app/routes.ts; the URL itself may contain a ticket or a code */
  findRoute?: () => string | undefined
}

const requestContexts = new AsyncLocalStorage<RequestContext>()

export const runWithRequestContext = <Result>(visit: RequestContext, work: () => Result): Result => requestContexts.run(visit, work)
export const currentRequestContext = (): RequestContext | undefined => requestContexts.getStore()
