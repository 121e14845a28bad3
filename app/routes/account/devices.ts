import { href, redirect } from 'react-router'
import { LOGOUT_ERROR } from '#app/features/accounts/account-texts.ts'
import { endDevice, endOtherDevices } from '#app/features/devices/devices.server.ts'
import { DEVICE_ENDED, NO_SUCH_DEVICE, othersEnded } from '#app/features/devices/devices.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { answer } from '../answer.server.ts'
import { lostAnswer } from './lost-answer.ts'
import type { Route } from './+types/devices'

const failed: Answer = { ok: false, toasts: [LOGOUT_ERROR] }

/** S-219: one other session, or all others after a Yes. */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)!]
  const form = await readForm(request)
  const isAll = textOf(form, 'intent') === 'others'
  if (isAll && textOf(form, 'confirm') !== 'Yes') return answer(page, form, { ok: false }, 400)
  const count = await attempt(shop.log, 'sessions could not be ended', () =>
    isAll ? endOtherDevices(shop, user) : endDevice(shop, user, textOf(form, 'id')),
  )
  if (typeof count !== 'number') return answer(page, form, failed, 500)
  return answer(page, form, { ok: true, toasts: [isAll ? othersEnded(count) : count > 0 ? DEVICE_ENDED : NO_SUCH_DEVICE] })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => serverAction().catch(lostAnswer(failed))

export const loader = () => redirect(href('/account'))
