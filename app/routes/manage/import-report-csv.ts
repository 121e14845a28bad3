import { redirect } from 'react-router'
import { findPreview, importReport } from '#import-export/import-preview.server.ts'
import { csvDownload } from '#lib/text/csv.server.ts'
import { appContext } from '#services/context.ts'
import type { Route } from './+types/import-report-csv'

export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const id = url.searchParams.get('check') ?? ''
  const preview = await findPreview(app, id)
  if (!preview) return redirect('/manage/import-export/?check=gone')
  return csvDownload(
    importReport(app, id),
    `check-${new Date(preview.plan.at).toISOString().slice(0, 10)}.csv`,
  )
}
