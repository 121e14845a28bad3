import { href, redirect } from 'react-router'
import { downloadForCustomer } from '#app/features/account/delete-account/delete-account.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/download-customer-data'

/** Downloads the data of a customer. Requires the owner's password. [S-225] */
export async function action({ request, context }: Route.ActionArgs) {
  const [app, info] = [context.get(appContext), context.get(requestInfoContext)]
  const form = await parseForm(request)
  const done = await downloadForCustomer({ app, info, request }, context.get(userContext)!, form)
  return done instanceof Response
    ? done
    : respond(info, form, { ok: false, error: done.error }, done.status)
}

export const loader = () => redirect(href('/manage/customer-data'))
