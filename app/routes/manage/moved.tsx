import { listImports } from '#app/features/firestore-import/report.server.ts'
import { ImportsPage } from '#app/features/firestore-import/imports-page.tsx'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/moved'

export const meta: Route.MetaFunction = () => [{ title: 'Moved here' }]

export const loader = async ({ context }: Route.LoaderArgs) => ({ imports: await listImports(context.get(shopContext).db) })

export default function Moved({ loaderData, matches }: Route.ComponentProps) {
  return <ImportsPage imports={loaderData.imports} timeZone={matches[0].loaderData.timeZone} />
}
