import { href, redirect } from 'react-router'
import { readPackingSlip } from '#print-documents/packing-slip.server.tsx'
import { requestInfoContext, appContext } from '#services/context.ts'
import type { Route } from './+types/packing-slip'

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
