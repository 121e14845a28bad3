import { useRouteLoaderData } from 'react-router'
import { firstNameOf } from '#app/features/accounts/greeting.ts'
import { listWaiting } from '#app/features/workshop/waiting.server.ts'
import { WelcomePage } from '#app/features/workshop/welcome-page.tsx'
import { shopContext, userContext } from '#app/platform/context.ts'
import type { loader as rootLoader } from '../../root.tsx'
import type { Route } from './+types/welcome'

export async function loader({ context }: Route.LoaderArgs) {
  const owner = context.get(userContext)!
  return { firstName: firstNameOf(owner), waiting: await listWaiting(context.get(shopContext).db) }
}

export const meta: Route.MetaFunction = () => [{ title: 'Manage Website' }]

export default function Welcome({ loaderData }: Route.ComponentProps) {
  const timeZone = useRouteLoaderData<typeof rootLoader>('root')?.timeZone ?? 'UTC'
  return <WelcomePage {...loaderData} timeZone={timeZone} />
}
