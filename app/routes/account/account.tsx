import { listDevices } from '#app/features/account/sessions/devices.server.ts'
import { readBelongings } from '#app/features/auth/belongings.server.ts'
import { readAddress } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { AccountPage } from '#app/features/account/account-page.tsx'
import { listOwnProviders, readProofWay } from '#app/features/auth/reauthenticate.server.ts'
import { takeFailure } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { readSecondFactor } from '#app/features/auth/two-factor/two-factor.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { pageTitle } from '../page-title.ts'
import type { Route } from './+types/account'

export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  // The gate lets only lasting accounts in.
  const { sessionId, ...user } = context.get(userContext)!
  return {
    user,
    devices: await listDevices(shop, { id: user.id, sessionId }),
    timeZone: shop.timeZone,
    address: await readAddress(shop, user),
    proof: await readProofWay(shop, { id: user.id, sessionId }),
    providers: await listOwnProviders(shop, user.id),
    failed: takeFailure(request, context.get(pageContext)),
    secondFactor: user.role === 'admin' ? await readSecondFactor(shop) : null,
    belongings: await readBelongings(shop.db, user.id),
  }
}

export const meta: Route.MetaFunction = ({ matches }) => [pageTitle(matches, 'Account'), { name: 'robots', content: 'noindex' }]

export default function Account({ loaderData }: Route.ComponentProps) {
  return <AccountPage account={loaderData} />
}
