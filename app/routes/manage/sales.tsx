import { useRouteLoaderData } from 'react-router'
import { printTicket } from '#app/features/sales/print-ticket.server.ts'
import { readSalesPage } from '#app/features/sales/sales-page.server.ts'
import { SalesScreen } from '#app/features/sales/sales-screen.tsx'
import { pageContext, shopContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import type { loader as rootLoader } from '#app/root.tsx'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/sales'

export const meta: Route.MetaFunction = () => [{ title: 'Sales' }]

export const loader = ({ request, context }: Route.LoaderArgs) =>
  readSalesPage(context.get(shopContext), new URL(request.url), context.get(pageContext).origin)

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const done = await printTicket(context.get(shopContext), textOf(form, 'receipt'))
  return answer(context.get(pageContext), form, done.answer, done.status)
}

export default function Sales({ loaderData }: Route.ComponentProps) {
  const root = useRouteLoaderData<typeof rootLoader>('root')!
  return <SalesScreen page={loaderData} settings={root.settings} timeZone={root.timeZone} />
}
