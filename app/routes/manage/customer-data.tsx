import { href } from 'react-router'
import { DataRequestPage } from '#app/features/account/delete-account/data-request-page.tsx'
import {
  deleteForCustomer,
  findCustomer,
} from '#app/features/account/delete-account/delete-account.server.ts'
import { customerDataTexts as texts } from '#app/features/account/texts.ts'
import { readReauthMethod } from '#app/features/auth/reauthenticate.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/customer-data'

export const meta: Route.MetaFunction = () => [{ title: texts.title }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const request = await findCustomer(app, url.searchParams.get('email') ?? '')
  return { request, reauthMethod: await readReauthMethod(app, context.get(userContext)!) }
}

/** Deletes a customer's account. Without JavaScript, the shop then redirects to the URL without an email address, because the account of the previous URL does not exist anymore. [S-225] */
export async function action({ request, context }: Route.ActionArgs) {
  const [app, info] = [context.get(appContext), context.get(requestInfoContext)]
  const form = await parseForm(request)
  const done = await deleteForCustomer({ app, info, request }, context.get(userContext)!, form)
  if (!done.ok) return respond(info, form, { ok: false, error: done.error }, done.status)
  if (form.has('back')) form.set('back', href('/manage/customer-data'))
  return respond(info, form, { ok: true, toasts: [texts.deleted] })
}

export default function CustomerData({ loaderData, matches }: Route.ComponentProps) {
  return (
    <DataRequestPage
      {...loaderData}
      timeZone={matches[0].loaderData.timeZone}
    />
  )
}
