import { href, redirect } from 'react-router'
import { changePassword } from '#app/features/profile/change-password.server.ts'
import { PASSWORD_NOT_UPDATED } from '#app/features/profile/profile.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { answer } from '../answer.server.ts'
import { lostAnswer } from './lost-answer.ts'
import type { Route } from './+types/password'

const failed: Answer = { ok: false, error: PASSWORD_NOT_UPDATED }

/** LOGIN-19, LOGIN-36, LOGIN-51, LOGIN-55 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)!]
  const form = await readForm(request)
  const done = await attempt(shop.log, 'a password could not be changed', () => changePassword({ shop, page, request }, user, form))
  if (done.ok) return answer(page, form, { ok: true, toasts: ['Password changed'] })
  if ('refusal' in done) return answer(page, form, failed, 500)
  const { status, ...refused } = done
  return answer(page, form, refused, status)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => serverAction().catch(lostAnswer(failed))

export const loader = () => redirect(href('/account'))
