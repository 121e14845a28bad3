import { listImports } from '#app/features/firestore-import/report.server.ts'
import { ImportsPage } from '#app/features/firestore-import/imports-page.tsx'
import { appContext } from '#app/services/context.ts'
import { importsPageTexts } from '#app/features/firestore-import/texts.ts'
import type { Route } from './+types/firestore-imports'

export const meta: Route.MetaFunction = () => [{ title: importsPageTexts.title }]

export const loader = async ({ context }: Route.LoaderArgs) => ({
  imports: await listImports(context.get(appContext).db),
})

export default function FirestoreImports({ loaderData, matches }: Route.ComponentProps) {
  return (
    <ImportsPage
      imports={loaderData.imports}
      timeZone={matches[0].loaderData.timeZone}
    />
  )
}
