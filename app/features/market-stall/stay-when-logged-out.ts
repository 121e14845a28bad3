import type { DataStrategyResult, MiddlewareFunction } from 'react-router'
import { MARKET_PATH } from './offline-copy.ts'
import { saleQueue } from './sale-queue.ts'

type Results = Record<string, DataStrategyResult>

/** Keeps the page of the market stall open when the shop redirects a logged-out owner, because the page shows her unsent sales. [AGREE-77] */
export const stayWhenLoggedOut: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next()
  if (location.pathname !== MARKET_PATH || new URL(request.url).pathname !== MARKET_PATH)
    return results
  const isRedirected = ({ result }: DataStrategyResult) =>
    result instanceof Response && result.status >= 300 && result.status < 400
  const redirected = Object.keys(results).filter((id) => isRedirected(results[id]!))
  for (const id of redirected) delete results[id]
  if (redirected.length > 0) saleQueue.report('logged-out')
  return results
}
