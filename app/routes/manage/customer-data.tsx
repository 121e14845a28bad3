import { href } from 'react-router'
import { DataRequestPage } from '#app/features/account/delete-account/data-request-page.tsx'
import { deleteForCustomer, findCustomer } from '#app/features/account/delete-account/delete-account.server.ts'
import { requestTexts } from '#app/features/account/delete-account/delete-account.ts'
import { readProofWay } from '#app/features/auth/reauthenticate.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/customer-data'

export const meta: Route.MetaFunction = () => [{ title: 'Customer data' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const request = await findCustomer(shop, url.searchParams.get('email') ?? '')
  return { request, proof: await readProofWay(shop, context.get(userContext)!) }
}

/** S-225: the found account is gone afterwards, so without script the page begins anew. */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page] = [context.get(shopContext), context.get(pageContext)]
  const form = await readForm(request)
  const done = await deleteForCustomer({ shop, page, request }, context.get(userContext)!, form)
  if (!done.ok) return answer(page, form, { ok: false, error: done.error }, done.status)
  if (form.has('back')) form.set('back', href('/manage/customer-data'))
  return answer(page, form, { ok: true, toasts: [requestTexts.done] })
}

export default function CustomerData({ loaderData, matches }: Route.ComponentProps) {
  return <DataRequestPage {...loaderData} timeZone={matches[0].loaderData.timeZone} />
}
