import { href, redirect } from 'react-router'
import { requestInfoContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/theme'

/** Stores the chosen theme in a cookie for one year. [THEME-04, S-027] */
export async function action({ request, context }: Route.ActionArgs) {
  const info = context.get(requestInfoContext)
  const form = await parseForm(request)
  const theme = formText(form, 'theme') === 'light' ? 'light' : 'dark'
  info.responseCookies.push(`theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax`)
  info.theme = theme
  return respond(info, form, { ok: true })
}

export const loader = () => redirect(href('/'))
