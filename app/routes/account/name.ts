import { href, redirect } from 'react-router'
import { changeName } from '#app/features/profile/change-name.server.ts'
import { NAME_UNFIT, PROFILE_NOT_UPDATED } from '#app/features/profile/profile.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { answer } from '../answer.server.ts'
import { lostAnswer } from './lost-answer.ts'
import type { Route } from './+types/name'

const refused: Answer = { ok: false, toasts: [PROFILE_NOT_UPDATED] }

/** LOGIN-16, LOGIN-34, LOGIN-49 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)!]
  const form = await readForm(request)
  const seconds = await shop.limits.secondsToWait('profile', { address: page.clientAddress, account: user.id })
  if (seconds > 0) return answer(page, form, { ...refused, field: 'name', error: tooMany(page, seconds).error }, 429)
  const done = await changeName(shop, user, textOf(form, 'name'))
  if (done.ok) return answer(page, form, { ok: true, toasts: ['Name saved'] })
  if (done.refusal === 'unfit') return answer(page, form, { ...refused, field: 'name', error: NAME_UNFIT }, 422)
  return answer(page, form, refused, 500)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => serverAction().catch(lostAnswer(refused))

export const loader = () => redirect(href('/account'))
