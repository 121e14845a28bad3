import { href, redirect } from 'react-router'
import { pageAfterLogout } from '#app/features/auth/redirects.ts'
import { loginResults } from '#app/features/auth/texts.ts'
import { logOut } from '#app/features/auth/sign-in.server.ts'
import { deleteItemDrafts } from '#app/features/item-editor/item-drafts.ts'
import { deleteDrafts } from '#app/client/drafts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/logout'

export async function action({ request, context }: Route.ActionArgs) {
  const user = context.get(userContext)
  const info = context.get(requestInfoContext)
  const form = await parseForm(request)
  const isAsked = user?.role !== 'guest' || formText(form, 'confirm') === 'Yes'
  if (!isAsked) return respond(info, form, { ok: false }, 400)
  const isOut =
    user === null || (await logOut({ app: context.get(appContext), info, request }, user))
  if (!isOut) return respond(info, form, { ok: false, toasts: [loginResults.logoutFailed] }, 500)
  return redirect(pageAfterLogout(formText(form, 'from')))
}

/** If the HTTP response is a redirect, the user is logged out, and the browser deletes the drafts. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    if (error instanceof Response) {
      deleteDrafts()
      deleteItemDrafts()
    }
    throw error
  })

export const loader = () => redirect(href('/'))
