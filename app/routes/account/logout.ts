import { href, redirect } from 'react-router'
import { logOut } from '#app/features/accounts/sign-in.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import type { Route } from './+types/logout'

export async function action({ request, context }: Route.ActionArgs) {
  const user = context.get(userContext)
  if (user) await logOut({ shop: context.get(shopContext), page: context.get(pageContext), request }, user)
  return redirect(href('/'))
}

export const loader = () => redirect(href('/'))
