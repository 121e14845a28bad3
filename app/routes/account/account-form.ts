import { data, href, redirect } from 'react-router'
import { accountHandlers } from '#app/features/account/account.action.server.ts'
import { failedResults, isAccountForm } from '#app/features/account/account.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { deleteDrafts } from '#app/client/drafts.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/account-form'

/** Returns the name of the form, which is the last segment of the URL. */
function formAt(url: string) {
  const name = new URL(url).pathname.split('/')[2]?.replace(/\.data$/, '') ?? ''
  if (!isAccountForm(name)) throw data(null, 404)
  return name
}

/** Handles every form of the account page. The middleware of the layout admits only customers and the owner. */
export async function action({ request, context }: Route.ActionArgs) {
  const [app, info, user] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext)!,
  ]
  const form = await parseForm(request)
  const done = await accountHandlers[formAt(request.url)]({ app, info, request }, user, form)
  if (done instanceof Response) return done
  if (done.to !== undefined) form.set('back', done.to)
  return respond(info, form, done.answer, done.status)
}

/** If the browser is offline, the page keeps the typed text. A redirect after the form "delete" means that the account was deleted. The browser then also deletes the drafts. */
export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    const name = formAt(request.url)
    if (error instanceof Response && name === 'delete') deleteDrafts()
    return offlineActionResult(failedResults[name])(error)
  })

export const loader = () => redirect(href('/account'))
