import { href, redirect } from 'react-router'
import { formText } from '#lib/http/form-data.server.ts'
import { done } from '#ui/action-result.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/theme'

export async function action(args: Route.ActionArgs) {
  const { info, form, reply } = await readForm(args)
  const theme = formText(form, 'theme') === 'light' ? 'light' : 'dark'
  info.responseCookies.push(`theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax`)
  info.theme = theme
  return reply(done())
}

export const loader = () => redirect(href('/'))
