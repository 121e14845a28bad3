import { href, redirect } from 'react-router'
import { readPackingSlip } from '#app/features/print-documents/packing-slip.server.tsx'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import type { Route } from './+types/packing-slip'

/** Returns the packing slip of an offer as PDF, or as a page to print. Without an address, the shop redirects to the conversations. [AGREE-57, AGREE-58] */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const file = await readPackingSlip(
    context.get(appContext),
    params.offerid,
    url.searchParams.get('size'),
    context.get(requestInfoContext).nonce,
  )
  if (!file) return redirect(href('/manage/messages/:orderid?'))
  return new Response(file.body, {
    headers: {
      'Content-Type': file.type,
      'Content-Disposition': 'inline',
      'Cache-Control': 'private, no-store',
    },
  })
}
