import { downloadReceipts } from '#app/features/reports/sales-table.server.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/receipts-csv'

/** A table of the receipts, while they are read: the owner's alone, by the gate. */
export const loader = ({ request, context }: Route.LoaderArgs) => downloadReceipts(context.get(shopContext), new URL(request.url))
