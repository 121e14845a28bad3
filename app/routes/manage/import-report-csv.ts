import { redirect } from 'react-router'
import { importReport } from '#app/features/csv-import/import-page.server.ts'
import { csvDownload } from '#app/lib/text/csv.server.ts'
import { findPreview } from '#app/features/csv-import/import-preview-store.server.ts'
import { appContext } from '#app/services/context.ts'
import type { Route } from './+types/import-report-csv'

/** Downloads the whole preview of an import as CSV. If the preview has expired, the shop redirects to the import page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const id = new URL(request.url).searchParams.get('check') ?? ''
  const found = await findPreview(app, id)
  if (!found) return redirect('/manage/tables/?check=gone')
  return csvDownload(
    importReport(app, id),
    `check-${new Date(found.plan.at).toISOString().slice(0, 10)}.csv`,
  )
}
