/** Receives the sales of the market stall. */
import { data, href, redirect } from 'react-router'
import { handleQueuedSale } from '#app/features/market-stall/sale-form.server.ts'
import { appContext } from '#app/services/context.ts'
import { parseFormLenient } from '#app/lib/http/form-data.server.ts'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/market-sales'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]

export async function action({ request, context }: Route.ActionArgs) {
  const { answer, status } = await handleQueuedSale(
    context.get(appContext),
    await parseFormLenient(request),
  )
  return data(answer, { status })
}

export const loader = () => redirect(href('/manage/sales'))
