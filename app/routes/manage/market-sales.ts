import { href, redirect } from 'react-router'
import { handleQueuedSale } from '#market-stall/sale-form.server.ts'
import { readForm, respond } from '#routes/action-response.server.ts'
import { parseFormLenient } from '#lib/http/form-data.server.ts'
import { ownerOnly } from './owner-only.server.ts'
import type { Route } from './+types/market-sales'

export const middleware: Route.MiddlewareFunction[] = [ownerOnly]

export async function action(args: Route.ActionArgs) {
  const { app, form } = await readForm(args, parseFormLenient)
  return respond(await handleQueuedSale(app, form))
}

export const loader = () => redirect(href('/manage/sales'))
