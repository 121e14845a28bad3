import { exportItems } from '#import-export/export-items.server.ts'
import { csvDownload } from '#lib/text/csv.server.ts'
import { readStyle } from '#lib/text/csv.ts'
import { appContext } from '#services/context.ts'
import type { Route } from './+types/items-csv'

export function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const style = readStyle(url.searchParams.get('style'))
  return csvDownload(
    exportItems(app.db, style),
    `items-${new Date(app.now()).toISOString().slice(0, 10)}.csv`,
  )
}
