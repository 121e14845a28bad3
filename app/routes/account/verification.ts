import { href, redirect } from 'react-router'
import { receiveVerificationWish } from '#app/features/address-proof/receive-account.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/verification'

/** LOGIN-20, LOGIN-52, S-014 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page] = [context.get(shopContext), context.get(pageContext)]
  const form = await readForm(request)
  const { status, ...told } = await receiveVerificationWish(shop, page, context.get(userContext)!)
  return answer(page, form, told, status)
}

export const loader = () => redirect(href('/'))
