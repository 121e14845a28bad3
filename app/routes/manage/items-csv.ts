import { exportItems } from '#app/features/csv-import/export-items.server.ts'
import { csvDownload } from '#app/lib/text/csv.server.ts'
import { readStyle } from '#app/lib/text/csv.ts'
import { appContext } from '#app/services/context.ts'
import type { Route } from './+types/items-csv'

export function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const style = readStyle(new URL(request.url).searchParams.get('style'))
  return csvDownload(
    exportItems(app.db, style),
    `items-${new Date(app.now()).toISOString().slice(0, 10)}.csv`,
  )
}
