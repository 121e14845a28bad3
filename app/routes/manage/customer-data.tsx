import { href } from 'react-router'
import { DataRequestPage } from '#account/delete-account/data-request-page.tsx'
import { deleteForCustomer, findCustomer } from '#account/delete-account/delete-account.server.ts'
import { createPasswordLink } from '#account/password-link.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { customerDataTexts as texts } from '#account/texts.ts'
import { readReauthMethod } from '#auth/reauthenticate.server.ts'
import { appContext, userContext } from '#services/context.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/customer-data'

export const meta: Route.MetaFunction = () => [{ title: texts.title }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const request = await findCustomer(app, url.searchParams.get('email') ?? '')
  return { request, reauthMethod: await readReauthMethod(app, context.get(userContext)!) }
}

export async function action(args: Route.ActionArgs) {
  const { auth, user, form, reply } = await readForm(args)
  if (formText(form, 'intent') === 'link') return reply(await createPasswordLink(auth, user!, form))
  const outcome = await deleteForCustomer(auth, user!, form)
  if (outcome.answer.ok && form.has('back')) form.set('back', href('/manage/customer-data'))
  return reply(outcome)
}

export default function CustomerData({ loaderData }: Route.ComponentProps) {
  return <DataRequestPage {...loaderData} />
}
