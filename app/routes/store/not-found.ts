import { href, redirect } from 'react-router'
import { unknownPageText } from '#app/features/seo/texts.ts'
import { requestInfoContext } from '#app/services/context.ts'
import { setFlash } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/not-found'

/** Redirects to the home page. The home page shows a toast only if a visitor opened the unknown URL, and not if the browser requested a missing image or script. [OWN-86] */
export function loader({ request, context }: Route.LoaderArgs) {
  const target = request.headers.get('Sec-Fetch-Dest') ?? 'document'
  if (target === 'document' || target === 'empty')
    setFlash(context.get(requestInfoContext), [unknownPageText])
  return redirect(href('/'))
}

export const action = () => redirect(href('/'))
