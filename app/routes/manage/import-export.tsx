import { data, redirect } from 'react-router'
import { applyImport } from '#app/features/csv-import/apply-import.server.ts'
import { previewImport } from '#app/features/csv-import/preview-import.server.ts'
import { ImportPage } from '#app/features/csv-import/import-page.tsx'
import { readImportPage } from '#app/features/csv-import/import-page.server.ts'
import { appContext, userContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { revalidateUnlessOffline } from '#app/ui/action-result.ts'
import { importPageTexts } from '#app/features/csv-import/texts.ts'
import type { Route } from './+types/import-export'

export const meta: Route.MetaFunction = () => [{ title: importPageTexts.title }]

export const loader = ({ request, context }: Route.LoaderArgs) =>
  readImportPage(context.get(appContext), new URL(request.url).searchParams)

/** Checks a file or imports it. The shop then redirects to the URL of this import, so that the page shows the result even after a reload and without JavaScript. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext)
  const form = await parseForm(request)
  const refuse = (error: string, status: number, field?: string) =>
    data({ ok: false, error, ...(field ? { field } : { toasts: [error] }) }, { status })
  if (formText(form, 'intent') === 'check') {
    const checked = await previewImport(app, form.get('file'))
    return checked.ok
      ? redirect(`/manage/tables/?check=${checked.planId}`, 303)
      : refuse(checked.text, checked.status, 'file')
  }
  const id = formText(form, 'check')
  const refused = await applyImport(app, context.get(userContext)?.id ?? '', id)
  return refused
    ? refuse(refused.text, refused.status)
    : redirect(`/manage/tables/?check=${id}`, 303)
}

export const shouldRevalidate = revalidateUnlessOffline

export default function Tables({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ImportPage
      {...loaderData}
      answer={usePersistentActionData(actionData)}
    />
  )
}
