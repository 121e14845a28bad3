import { redirect, useFetcher, useRouteLoaderData } from 'react-router'
import { handleUndoAction } from '#app/features/orders/undo-sale.action.server.ts'
import {
  handlePrintAction,
  readPrintData,
} from '#app/features/print-documents/print-documents.server.ts'
import { PrintOverlay } from '#app/features/print-documents/print-overlay.tsx'
import { readSalesPage } from '#app/features/sales/sales.server.ts'
import { salesTexts } from '#app/features/sales/texts.ts'
import { getSettingsCached } from '#app/features/settings/settings.server.ts'
import { SalesScreen } from '#app/features/sales/sales-screen.tsx'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import type { loader as rootLoader } from '#app/root.tsx'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/sales'

export const meta: Route.MetaFunction = () => [{ title: salesTexts.title }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const address = new URL(request.url)
  const page = await readSalesPage(app, address)
  // If the receipt cannot be read, the page shows only the sales. [ERR-04, ERR-05]
  const open = await readPrintData(
    app,
    address.searchParams.get('receipt') ?? '',
    context.get(requestInfoContext).origin,
  ).catch((error: unknown) => app.log.error('The receipt could not be read.', error))
  return { page, open: open ?? null, settings: await getSettingsCached(app) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const undone = await handleUndoAction(context.get(appContext), form)
  if (undone) return respond(context.get(requestInfoContext), form, undone.answer, undone.status)
  const done = await handlePrintAction(
    context.get(appContext),
    form,
    context.get(requestInfoContext).origin,
  )
  // Without JavaScript, the shop redirects the browser to the PDF file.
  if (done.address && form.has('back')) return redirect(done.address, 303)
  return respond(context.get(requestInfoContext), form, done.answer, done.status)
}

export default function Sales({ loaderData }: Route.ComponentProps) {
  const root = useRouteLoaderData<typeof rootLoader>('root')!
  const { page, open, settings } = loaderData
  const undoing = useFetcher<ActionResult>()
  useActionToasts(undoing.data)
  return (
    <SalesScreen
      page={page}
      timeZone={root.timeZone}
    >
      {open && (
        <PrintOverlay
          key={open.receipt.key}
          open={open}
          closedSearch={page.period.here}
          settings={settings}
          undoing={undoing}
        />
      )}
    </SalesScreen>
  )
}
