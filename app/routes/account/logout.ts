import { href, redirect } from 'react-router'
import { pageAfterLogout } from '#auth/redirects.ts'
import { loginResults } from '#auth/texts.ts'
import { logOut } from '#auth/sign-in.server.ts'
import { deleteItemDrafts } from '#item-editor/item-drafts.ts'
import { deleteDrafts } from '#client/drafts.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { refused } from '#ui/action-result.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/logout'

export async function action(args: Route.ActionArgs) {
  const { user, auth, form, reply } = await readForm(args)
  const isConfirmed = user?.role !== 'guest' || formText(form, 'confirm') === 'Yes'
  if (!isConfirmed) return reply(refused(400))
  const isOut = user === null || (await logOut(auth, user))
  if (!isOut) return reply(refused(500, { toasts: [loginResults.logoutFailed] }))
  return redirect(pageAfterLogout(formText(form, 'from')))
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    if (error instanceof Response) {
      deleteDrafts()
      deleteItemDrafts()
    }
    throw error
  })

export const loader = () => redirect(href('/'))
