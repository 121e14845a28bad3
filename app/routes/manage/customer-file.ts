import { href, redirect } from 'react-router'
import { downloadForCustomer } from '#app/features/account/delete-account/delete-account.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/customer-file'

/** S-225: all data of a customer who asked the owner for it. */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page] = [context.get(shopContext), context.get(pageContext)]
  const form = await readForm(request)
  const done = await downloadForCustomer({ shop, page, request }, context.get(userContext)!, form)
  return done instanceof Response ? done : answer(page, form, { ok: false, error: done.error }, done.status)
}

export const loader = () => redirect(href('/manage/customer-data'))
