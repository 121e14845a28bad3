import { downloadSales } from '#app/features/reports/sales-table.server.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/sales-csv'

/** A table of the sales, while they are read: the owner's alone, by the gate. */
export const loader = ({ request, context }: Route.LoaderArgs) => downloadSales(context.get(shopContext), new URL(request.url))
