import { href, redirect, redirectDocument } from 'react-router'
import { pageAfterLogout } from '#auth/redirects.ts'
import { loginResults } from '#auth/texts.ts'
import { logOut } from '#auth/sign-in.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { refused } from '#ui/action-result.ts'
import { readForm } from '#routes/action-response.server.ts'
import { redirectAfterLogout } from './clear-browser.ts'
import type { Route } from './+types/logout'

export async function action(args: Route.ActionArgs) {
  const { user, auth, form, reply } = await readForm(args)
  const isConfirmed = user?.role !== 'guest' || formText(form, 'confirm') === 'Yes'
  if (!isConfirmed) return reply(refused(400))
  const isOut = user === null || (await logOut(auth, user))
  if (!isOut) return reply(refused(500, { toasts: [loginResults.logoutFailed] }))
  // Chrome keeps the pictures of conversations in its cache.
  const headers = { 'Clear-Site-Data': '"cache"' }
  return redirectDocument(pageAfterLogout(formText(form, 'from')), { headers })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(async (error: unknown) => {
    throw error instanceof Response ? await redirectAfterLogout(error) : error
  })

export const loader = () => redirect(href('/'))
