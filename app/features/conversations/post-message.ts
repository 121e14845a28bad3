/** A message on its way to the shop. Past the router: it goes on when its page or panel is left, and loads nothing anew. Browser only. */
import { doubtConnection, whenReached } from '#app/platform/connection.ts'
import type { Answer } from '#app/ui/answer.ts'
import type { Delivered, Unsent } from './outgoing.ts'

const ADDRESS = '/messages'
/** Milliseconds for one try; a line may be dead without saying so. */
const PATIENCE = 15_000
/** A shop that comes back within it (a restart) is asked once more before the writer hears of it. */
const PAUSE = 3000
/** They concern this message alone; anything else would meet the next one too. */
const REFUSED = [400, 404, 409, 413, 422]

/** S-169: whether the first try arrived is not known, so the second carries the same id. */
export async function postMessage(viewerId: string, orderId: string, one: Unsent): Promise<Delivered> {
  const first = await ask(viewerId, orderId, one)
  if (first) return first
  const isBack = await whenReached(AbortSignal.timeout(PAUSE)).then(
    () => true,
    () => false,
  )
  return (isBack && (await ask(viewerId, orderId, one))) || { ok: false, isRefused: false }
}

/** null: nobody answered. `writer`: another person may have signed in meanwhile, in another tab. */
async function ask(viewerId: string, orderId: string, { messageId, message, fields }: Unsent): Promise<Delivered | null> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, intent: 'send', writer: viewerId, orderId, messageId, message }))
    form.append(name, value)
  try {
    const response = await fetch(ADDRESS, { method: 'POST', body: form, signal: AbortSignal.timeout(PATIENCE), keepalive: true })
    const answer = await response.json().then(
      (told: Answer) => told,
      () => null,
    )
    if (answer?.ok) return { ok: true }
    if (answer === null && response.status >= 500) throw new Error(String(response.status))
    return { ok: false, isRefused: REFUSED.includes(response.status), error: answer?.error }
  } catch {
    doubtConnection()
    return null
  }
}
