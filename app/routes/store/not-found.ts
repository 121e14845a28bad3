import { href, redirect } from 'react-router'
import { unknownPageText } from '#app/features/seo/texts.ts'
import { requestInfoContext } from '#app/services/context.ts'
import { setFlash } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/not-found'

/** Shows a toast on the home page only if a visitor opened the unknown URL. Browsers also request images and scripts that do not exist. [OWN-86] */
export function loader({ request, context }: Route.LoaderArgs) {
  const target = request.headers.get('Sec-Fetch-Dest') ?? 'document'
  if (target === 'document' || target === 'empty') setFlash(context.get(requestInfoContext), [unknownPageText])
  return redirect(href('/'))
}

export const action = () => redirect(href('/'))
