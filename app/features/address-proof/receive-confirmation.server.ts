/** What the page behind the links answers to a look and to its button. */
import type { Page, Shop, User } from '#app/platform/context.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { readAddress } from './change-email.server.ts'
import { confirm, findConfirmation } from './confirm.server.ts'
import { proofTexts, type ConfirmState } from './proof.ts'

const plain: ConfirmState = { asked: null, done: null, code: '', error: '', isConfirmed: false }

export async function showConfirmation(shop: Shop, code: string, user: User | null): Promise<ConfirmState> {
  if (code === '') return plain
  const asked = await findConfirmation(shop, code)
  if (asked) return { ...plain, asked, code }
  const own = user && user.role !== 'guest' ? await readAddress(shop, user) : null
  return { ...plain, code: code.slice(0, 200), error: proofTexts.badCode, isConfirmed: own !== null && own.isVerified && !own.change }
}

/** S-230: an address that somebody else has by now is not told apart from any other failure of a change (LOGIN-50). */
export async function receiveConfirmation(shop: Shop, page: Page, typed: string): Promise<{ state: ConfirmState; status: number }> {
  const again = (error: string, status: number) => ({ state: { ...plain, code: typed.slice(0, 200), error }, status })
  const seconds = await shop.limits.secondsToWait('code', { address: page.clientAddress })
  if (seconds > 0) return again(tooMany(page, seconds).error, 429)
  const done = await confirm(shop, typed)
  if (done.ok) return { state: { ...plain, done: done.done }, status: 200 }
  return done.refusal === 'code' ? again(proofTexts.badCode, 422) : again(proofTexts.notUpdated, 409)
}
