import { href, redirect } from 'react-router'
import { unknownPageText } from '#seo/texts.ts'
import { requestInfoContext } from '#services/context.ts'
import { setFlash } from '#routes/action-response.server.ts'
import type { Route } from './+types/not-found'

export function loader({ request, context }: Route.LoaderArgs) {
  const target = request.headers.get('Sec-Fetch-Dest') ?? 'document'
  if (target === 'document' || target === 'empty') {
    setFlash(context.get(requestInfoContext), [unknownPageText])
  }
  return redirect(href('/'))
}

export const action = () => redirect(href('/'))
