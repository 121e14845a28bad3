import { redirect } from 'react-router'
import { readPdfFile } from '#print-documents/print-documents.server.ts'
import { requestInfoContext, appContext } from '#services/context.ts'
import type { Route } from './+types/print-documents-pdf'

export async function loader({ url, context }: Route.LoaderArgs) {
  const { origin } = context.get(requestInfoContext)
  const file = await readPdfFile(context.get(appContext), url, origin)
  if (!file) {
    const receiptKey = url.searchParams.get('receipt') ?? ''
    return redirect(`/manage/sales/?receipt=${encodeURIComponent(receiptKey)}`)
  }
  return new Response(file.bytes, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `${file.isShown ? 'inline' : 'attachment'}; filename="${file.name}"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
