import { href, redirect } from 'react-router'
import { pageContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/theme'

/** THEME-04, S-027: the choice is remembered on the device for a year. */
export async function action({ request, context }: Route.ActionArgs) {
  const page = context.get(pageContext)
  const form = await readForm(request)
  const theme = textOf(form, 'theme') === 'light' ? 'light' : 'dark'
  page.cookies.push(`theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax`)
  page.theme = theme
  return answer(page, form, { ok: true })
}

export const loader = () => redirect(href('/'))
