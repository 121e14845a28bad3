import { href, redirect } from 'react-router'
import { downloadForCustomer } from '#account/delete-account/delete-account.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/download-customer-data'

export async function action(args: Route.ActionArgs) {
  const { auth, user, form, reply } = await readForm(args)
  const result = await downloadForCustomer(auth, user!, form)
  return result instanceof Response ? result : reply(result)
}

export const loader = () => redirect(href('/manage/customer-data'))
