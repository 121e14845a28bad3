import { href, redirect } from 'react-router'
import { pageAfterLogout } from '#app/features/auth/redirects.ts'
import { LOGOUT_ERROR } from '#app/features/auth/auth-texts.ts'
import { logOut } from '#app/features/auth/sign-in.server.ts'
import { forgetItemDrafts } from '#app/features/item-editor/item-drafts.ts'
import { forgetDrafts } from '#app/platform/request-draft.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/logout'

/** LOGIN-15, LOGIN-48, S-004, S-017 */
export async function action({ request, context }: Route.ActionArgs) {
  const user = context.get(userContext)
  const page = context.get(pageContext)
  const form = await readForm(request)
  const isAsked = user?.role !== 'guest' || textOf(form, 'confirm') === 'Yes'
  if (!isAsked) return answer(page, form, { ok: false }, 400)
  const isOut = user === null || (await logOut({ shop: context.get(shopContext), page, request }, user))
  if (!isOut) return answer(page, form, { ok: false, toasts: [LOGOUT_ERROR] }, 500)
  return redirect(pageAfterLogout(textOf(form, 'from')))
}

/** The redirect says that she is out. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    if (error instanceof Response) {
      forgetDrafts()
      forgetItemDrafts()
    }
    throw error
  })

export const loader = () => redirect(href('/'))
