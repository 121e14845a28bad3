import { listImports } from '#firestore-import/report.server.ts'
import { FirestoreImportPage } from '#firestore-import/firestore-import-page.tsx'
import { appContext } from '#services/context.ts'
import { firestoreImportTexts } from '#firestore-import/texts.ts'
import type { Route } from './+types/firestore-import'

export const meta: Route.MetaFunction = () => [{ title: firestoreImportTexts.title }]

export const loader = async ({ context }: Route.LoaderArgs) => ({
  imports: await listImports(context.get(appContext).db),
})

export default function FirestoreImports({ loaderData }: Route.ComponentProps) {
  return <FirestoreImportPage {...loaderData} />
}
