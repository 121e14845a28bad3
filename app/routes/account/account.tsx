import { readAccount } from '#account/account.action.server.ts'
import { AccountPage } from '#account/account-page.tsx'
import { accountTexts } from '#account/texts.ts'
import { takeFailure } from '#auth/oauth/oauth.server.ts'
import { requestInfoContext, appContext, userContext } from '#services/context.ts'
import { unlistedTitle } from '#routes/page-title.ts'
import type { Route } from './+types/account'

export async function loader({ request, context }: Route.LoaderArgs) {
  const account = await readAccount(context.get(appContext), context.get(userContext)!)
  return { ...account, failed: takeFailure(request, context.get(requestInfoContext)) }
}

export const meta: Route.MetaFunction = unlistedTitle(accountTexts.title)

export default function Account({ loaderData }: Route.ComponentProps) {
  return <AccountPage account={loaderData} />
}
