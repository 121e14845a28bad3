import { data, href, redirect } from 'react-router'
import { accountHandlers } from '#account/account.action.server.ts'
import { failedResults, isAccountForm } from '#account/account.ts'
import { readForm } from '#routes/action-response.server.ts'
import { redirectAfterLogout } from './clear-browser.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/account-form'

function formAt({ url }: Request) {
  const name = new URL(url).pathname.split('/')[2]?.replace(/\.data$/, '') ?? ''
  if (!isAccountForm(name)) throw data(null, 404)
  return name
}

export async function action(args: Route.ActionArgs) {
  const { auth, user, form, reply } = await readForm(args)
  const result = await accountHandlers[formAt(args.request)](auth, user!, form)
  if (result instanceof Response) return result
  if (result.to !== undefined) form.set('back', result.to)
  return reply(result)
}

/** After the form "delete", a redirect means that the account is gone. */
export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(async (error: unknown) => {
    const name = formAt(request)
    if (error instanceof Response && name === 'delete') throw await redirectAfterLogout(error)
    return offlineActionResult(failedResults[name])(error)
  })

export const loader = () => redirect(href('/account'))
