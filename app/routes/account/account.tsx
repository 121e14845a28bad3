import { readAccount } from '#app/features/account/account.action.server.ts'
import { AccountPage } from '#app/features/account/account-page.tsx'
import { takeFailure } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { pageTitle } from '../page-title.ts'
import type { Route } from './+types/account'

export async function loader({ request, context }: Route.LoaderArgs) {
  const account = await readAccount(context.get(shopContext), context.get(userContext)!)
  return { ...account, failed: takeFailure(request, context.get(pageContext)) }
}

export const meta: Route.MetaFunction = ({ matches }) => [pageTitle(matches, 'Account'), { name: 'robots', content: 'noindex' }]

export default function Account({ loaderData }: Route.ComponentProps) {
  return <AccountPage account={loaderData} />
}
