import { redirect } from 'react-router'
import { readPdfFile } from '#app/features/print-documents/print-documents.server.ts'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import type { Route } from './+types/print-documents-pdf'

/** Returns a PDF file of the requested documents. If any of these documents has not been issued yet, the shop redirects to the page of the receipt. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const address = new URL(request.url)
  const file = await readPdfFile(
    context.get(appContext),
    address,
    context.get(requestInfoContext).origin,
  )
  if (!file)
    return redirect(
      `/manage/sales/?receipt=${encodeURIComponent(address.searchParams.get('receipt') ?? '')}`,
    )
  return new Response(file.bytes, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `${file.isShown ? 'inline' : 'attachment'}; filename="${file.name}"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
