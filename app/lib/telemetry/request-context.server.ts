import { AsyncLocalStorage } from 'node:async_hooks'

export type RequestContext = {
  address: string
  requestId?: string
  findRoute?: () => string | undefined
}

const requestContexts = new AsyncLocalStorage<RequestContext>()

export const runWithRequestContext = <Result>(visit: RequestContext, work: () => Result) =>
  requestContexts.run(visit, work)
export const currentRequestContext = () => requestContexts.getStore()
