import { redirect } from 'react-router'
import { readPapersFile } from '#app/features/print-documents/papers.server.ts'
import { pageContext, shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/papers-pdf'

/** The papers of a receipt as a file: the owner's alone, by the gate. What was never printed has none: the overlay prints it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const address = new URL(request.url)
  const file = await readPapersFile(context.get(shopContext), address, context.get(pageContext).origin)
  if (!file) return redirect(`/manage/sales/?receipt=${encodeURIComponent(address.searchParams.get('receipt') ?? '')}`)
  return new Response(file.bytes, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `${file.isShown ? 'inline' : 'attachment'}; filename="${file.name}"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
