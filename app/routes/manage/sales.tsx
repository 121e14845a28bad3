import { redirect } from 'react-router'
import { undoSaleActions } from '#orders/order.actions.server.ts'
import { handlePrintAction, readPrintData } from '#print-documents/print-documents.server.ts'
import { PrintOverlay } from '#print-documents/print-overlay.tsx'
import { readSalesPage } from '#sales/sales.server.ts'
import { salesTexts } from '#sales/texts.ts'
import { getSettingsCached } from '#settings/settings.server.ts'
import { SalesScreen } from '#sales/sales-screen.tsx'
import { requestInfoContext, appContext } from '#services/context.ts'
import { useActionForm } from '#ui/action-form.tsx'
import { handleForm, handles } from '#lib/http/form-actions.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/sales'

export const meta: Route.MetaFunction = () => [{ title: salesTexts.title }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const page = await readSalesPage(app, url)
  const receiptKey = url.searchParams.get('receipt') ?? ''
  const { origin } = context.get(requestInfoContext)
  const open = await readPrintData(app, receiptKey, origin).catch((error: unknown) =>
    app.log.error('The receipt could not be read.', error),
  )
  return { page, open: open ?? null, settings: await getSettingsCached(app) }
}

export async function action(args: Route.ActionArgs) {
  const { app, info, form, reply } = await readForm(args)
  if (handles(undoSaleActions, form)) return reply(await handleForm(undoSaleActions, { app }, form))
  const { address, ...outcome } = await handlePrintAction(app, form, info.origin)
  if (address && form.has('back')) return redirect(address, 303)
  return reply(outcome)
}

export default function Sales({ loaderData }: Route.ComponentProps) {
  const { page, open, settings } = loaderData
  const undoing = useActionForm()
  return (
    <SalesScreen page={page}>
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
