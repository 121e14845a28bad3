import { useRouteLoaderData } from 'react-router'
import { firstNameOf } from '#app/features/auth/auth-texts.ts'
import { readUrgent } from '#app/features/admin/system-status/status.server.ts'
import { listWaiting } from '#app/features/admin/dashboard/waiting.server.ts'
import { WelcomePage } from '#app/features/admin/dashboard/welcome-page.tsx'
import { shopContext, userContext } from '#app/platform/context.ts'
import type { loader as rootLoader } from '../../root.tsx'
import type { Route } from './+types/welcome'

export async function loader({ context }: Route.LoaderArgs) {
  const owner = context.get(userContext)!
  const shop = context.get(shopContext)
  // What cannot be looked at is told where it breaks.
  const urgent = await readUrgent(shop).catch(() => [])
  return { firstName: firstNameOf(owner), waiting: await listWaiting(shop.db), urgent }
}

export const meta: Route.MetaFunction = () => [{ title: 'Manage Website' }]

export default function Welcome({ loaderData }: Route.ComponentProps) {
  const timeZone = useRouteLoaderData<typeof rootLoader>('root')?.timeZone ?? 'UTC'
  return <WelcomePage {...loaderData} timeZone={timeZone} />
}
