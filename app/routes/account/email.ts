import { href, redirect } from 'react-router'
import { receiveEmailChange } from '#app/features/address-proof/receive-account.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/email'

/** LOGIN-18, LOGIN-35, LOGIN-50 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page] = [context.get(shopContext), context.get(pageContext)]
  const form = await readForm(request)
  const { status, ...told } = await receiveEmailChange({ shop, page, request }, context.get(userContext)!, form)
  return answer(page, form, told, status)
}

export const loader = () => redirect(href('/'))
