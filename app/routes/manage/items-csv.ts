import { exportItems } from '#app/features/csv-import/items-table.server.ts'
import { csvDownload } from '#app/lib/csv.server.ts'
import { readStyle } from '#app/lib/csv.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/items-csv'

/** All items as a table, while they are read: the owner's alone, by the gate. */
export function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const style = readStyle(new URL(request.url).searchParams.get('style'))
  return csvDownload(exportItems(shop.db, style), `items-${new Date(shop.now()).toISOString().slice(0, 10)}.csv`)
}
