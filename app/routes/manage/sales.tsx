import { redirect, useRouteLoaderData } from 'react-router'
import { printPapers, readOpenReceipt } from '#app/features/print-documents/papers.server.ts'
import { PrintOverlay } from '#app/features/print-documents/print-overlay.tsx'
import { readSalesPage } from '#app/features/sales/sales.server.ts'
import { readSettingsKept } from '#app/features/settings/settings.server.ts'
import { SalesScreen } from '#app/features/sales/sales-screen.tsx'
import { pageContext, shopContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import type { loader as rootLoader } from '#app/root.tsx'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/sales'

export const meta: Route.MetaFunction = () => [{ title: 'Sales' }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const address = new URL(request.url)
  const page = await readSalesPage(shop, address)
  // ERR-04, ERR-05: the page shows itself without what could not be read.
  const open = await readOpenReceipt(shop, address.searchParams.get('receipt') ?? '', context.get(pageContext).origin).catch(
    (error: unknown) => shop.log.error('The receipt could not be read.', error),
  )
  return { page, open: open ?? null, settings: await readSettingsKept(shop) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const done = await printPapers(context.get(shopContext), form, context.get(pageContext).origin)
  // Without script there is no page that could go on: the file itself is shown.
  if (done.address && form.has('back')) return redirect(done.address, 303)
  return answer(context.get(pageContext), form, done.answer, done.status)
}

export default function Sales({ loaderData }: Route.ComponentProps) {
  const root = useRouteLoaderData<typeof rootLoader>('root')!
  const { page, open, settings } = loaderData
  return (
    <SalesScreen page={page} timeZone={root.timeZone}>
      {open && <PrintOverlay key={open.receipt.key} open={open} closedSearch={page.period.here} settings={settings} />}
    </SalesScreen>
  )
}
