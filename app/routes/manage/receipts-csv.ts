import { downloadReceipts } from '#reports/sales-csv.server.ts'
import { appContext } from '#services/context.ts'
import type { Route } from './+types/receipts-csv'

export const loader = ({ url, context }: Route.LoaderArgs) =>
  downloadReceipts(context.get(appContext), url)
