import { href, redirect } from 'react-router'
import { linkGuest } from '#app/features/accounts/link-guest.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/link-guest'

/** NAV-41, S-002 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)]
  const form = await readForm(request)
  if (!user) return redirect(href('/login'))
  const done = await linkGuest(shop, user, { email: textOf(form, 'email').trim(), password: textOf(form, 'password') })
  if (!done.ok) return answer(page, form, { ok: false, error: done.error }, done.status)
  return answer(page, form, { ok: true, toasts: ['Your account is kept. Welcome!'] })
}

export const loader = () => redirect(href('/'))
