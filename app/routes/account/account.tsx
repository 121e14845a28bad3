import { readAccount } from '#app/features/account/account.action.server.ts'
import { AccountPage } from '#app/features/account/account-page.tsx'
import { accountTexts } from '#app/features/account/texts.ts'
import { takeFailure } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { pageTitle } from '../page-title.ts'
import type { Route } from './+types/account'

export async function loader({ request, context }: Route.LoaderArgs) {
  const account = await readAccount(context.get(appContext), context.get(userContext)!)
  return { ...account, failed: takeFailure(request, context.get(requestInfoContext)) }
}

export const meta: Route.MetaFunction = ({ matches }) => [
  pageTitle(matches, accountTexts.title),
  { name: 'robots', content: 'noindex' },
]

export default function Account({ loaderData }: Route.ComponentProps) {
  return <AccountPage account={loaderData} />
}
