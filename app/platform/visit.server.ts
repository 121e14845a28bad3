import { AsyncLocalStorage } from 'node:async_hooks'

export type Visit = {
  address: string
  requestId?: string
  /** the pattern in app/routes.ts, never the address itself: that may hold a ticket or a code */
  findRoute?: () => string | undefined
}

const visits = new AsyncLocalStorage<Visit>()

export const duringVisit = <Result>(visit: Visit, work: () => Result): Result => visits.run(visit, work)
export const currentVisit = (): Visit | undefined => visits.getStore()
