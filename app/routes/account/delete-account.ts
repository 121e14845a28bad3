import { href, redirect } from 'react-router'
import { askAuth } from '#app/features/accounts/ask-auth.server.ts'
import { isAdminId } from '#app/features/accounts/admin.ts'
import { deleteAccount } from '#app/features/leaving/delete-account.server.ts'
import { DELETE_FAILED, DELETED, OWNER_STAYS } from '#app/features/leaving/leaving.ts'
import { forgetDrafts } from '#app/features/orders/request-draft.ts'
import { proveItsYou } from '#app/features/profile/prove-its-you.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/delete-account'

/** LOGIN-24, LOGIN-38, LOGIN-54, S-222 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)!]
  const form = await readForm(request)
  if (isAdminId(user.id)) return answer(page, form, { ok: false, error: OWNER_STAYS }, 403)
  const asker = { shop, page, request }
  const proof = await proveItsYou(asker, user, form)
  if (!proof.ok) return answer(page, form, { ok: false, error: proof.error }, proof.status)
  const done = await deleteAccount(shop, user.id, 'herself')
  // Deleted already, in another tab: so it is done.
  if (!done.ok && done.refusal !== 'not-found') return answer(page, form, { ok: false, error: DELETE_FAILED }, 500)
  page.cookies.push(...(await askAuth(asker, '/sign-out', {})).cookies)
  form.set('back', href('/'))
  return answer(page, form, { ok: true, toasts: [DELETED] })
}

/** The redirect says that she is gone: nothing of what she had begun to write stays in her browser. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    if (error instanceof Response) forgetDrafts()
    throw error
  })

export const loader = () => redirect(href('/account'))
