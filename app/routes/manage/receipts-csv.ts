import { downloadReceipts } from '#app/features/reports/sales-csv.server.ts'
import { appContext } from '#app/services/context.ts'
import type { Route } from './+types/receipts-csv'

export const loader = ({ request, context }: Route.LoaderArgs) =>
  downloadReceipts(context.get(appContext), new URL(request.url))
