import { redirect, useRouteLoaderData } from 'react-router'
import { printPapers } from '#app/features/papers/print-papers.server.ts'
import { readSalesPage } from '#app/features/sales/sales-page.server.ts'
import { SalesScreen } from '#app/features/sales/sales-screen.tsx'
import { pageContext, shopContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import type { loader as rootLoader } from '#app/root.tsx'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/sales'

export const meta: Route.MetaFunction = () => [{ title: 'Sales' }]

export const loader = ({ request, context }: Route.LoaderArgs) =>
  readSalesPage(context.get(shopContext), new URL(request.url), context.get(pageContext).origin)

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const done = await printPapers(context.get(shopContext), form, context.get(pageContext).origin)
  // Without script there is no page that could go on: the file itself is shown.
  if (done.address && form.has('back')) return redirect(done.address, 303)
  return answer(context.get(pageContext), form, done.answer, done.status)
}

export default function Sales({ loaderData }: Route.ComponentProps) {
  const root = useRouteLoaderData<typeof rootLoader>('root')!
  return <SalesScreen page={loaderData} settings={root.settings} timeZone={root.timeZone} />
}
