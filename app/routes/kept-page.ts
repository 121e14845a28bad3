/** A form that could not be sent, or whose answer is a failure, keeps its page: what was typed stays, and a toast says so. Browser only. */
import { data, type DataStrategyResult, type MiddlewareFunction } from 'react-router'
import { connection } from '#app/platform/connection.ts'
import { Unreachable } from '#app/platform/patient-fetch.ts'
import { NotSent } from '#app/ui/answer.ts'
import { awayTexts } from '#app/ui/away-texts.ts'
import { showToast } from '#app/ui/toast-store.ts'

/** What routes throw on purpose (a redirect) goes on as it is. The status asks for no new data: what is shown stays. */
export const keepPage: MiddlewareFunction<Record<string, DataStrategyResult>> = async ({ request }, next) => {
  const results = await next()
  if (request.method === 'GET') return results
  for (const [id, { type, result }] of Object.entries(results)) {
    if (type !== 'error' || result instanceof Response || request.signal.aborted) continue
    // The router hands on what its request threw in an envelope.
    const cause: unknown = result && typeof result === 'object' && 'data' in result ? result.data : result
    showToast(cause instanceof Unreachable || connection.isLost() ? awayTexts.notSent : awayTexts.failed)
    results[id] = { type: 'data', result: data(new NotSent(), { status: 503 }) }
  }
  return results
}
