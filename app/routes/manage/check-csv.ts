import { redirect } from 'react-router'
import { reportOf } from '#app/features/csv-import/tables-page.server.ts'
import { csvDownload } from '#app/lib/csv.server.ts'
import { findPlan } from '#app/features/csv-import/table-checks.server.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/check-csv'

/** All that a check found, as a table; one that is no longer kept is told on its page. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const id = new URL(request.url).searchParams.get('check') ?? ''
  const found = await findPlan(shop, id)
  if (!found) return redirect('/manage/tables/?check=gone')
  return csvDownload(reportOf(shop, id), `check-${new Date(found.plan.at).toISOString().slice(0, 10)}.csv`)
}
