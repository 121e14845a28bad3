import { listDevices } from '#app/features/devices/devices.server.ts'
import { readBelongings } from '#app/features/leaving/belongings.server.ts'
import { readAddress } from '#app/features/address-proof/change-email.server.ts'
import { AccountPage } from '#app/features/profile/account-page.tsx'
import { listOwnProviders } from '#app/features/profile/own-providers.server.ts'
import { takeFailure } from '#app/features/providers/provider-failure.server.ts'
import { readProofWay } from '#app/features/profile/prove-its-you.server.ts'
import { readSecondFactor } from '#app/features/second-factor/change-second-factor.server.ts'
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
