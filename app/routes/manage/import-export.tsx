import { data, redirect } from 'react-router'
import { applyImport } from '#import-export/apply-import.server.ts'
import { previewImport, readImportExportPage } from '#import-export/import-preview.server.ts'
import { ImportExportPage } from '#import-export/import-export-page.tsx'
import { appContext } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import { revalidateUnlessOffline } from '#ui/action-result.ts'
import { importExportTexts } from '#import-export/texts.ts'
import type { Route } from './+types/import-export'

export const meta: Route.MetaFunction = () => [{ title: importExportTexts.title }]

export const loader = ({ url, context }: Route.LoaderArgs) =>
  readImportExportPage(context.get(appContext), url.searchParams)

export async function action(args: Route.ActionArgs) {
  const { app, user, form } = await readForm(args)
  const result =
    formText(form, 'intent') === 'check'
      ? await previewImport(app, form.get('file'))
      : await applyImport(app, user!.id, formText(form, 'check'))
  if ('answer' in result) return data(result.answer, { status: result.status })
  return redirect(`/manage/import-export/?check=${result.id}`, 303)
}

export const shouldRevalidate = revalidateUnlessOffline

export default function Tables({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ImportExportPage
      {...loaderData}
      actionData={actionData}
    />
  )
}
