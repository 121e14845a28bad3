import { data, href, replace } from 'react-router'
import { pageAfterLogin } from '#auth/redirects.ts'
import { LoginCodePage } from '#auth/verification-pages.tsx'
import { verifyLoginCode, isCodeRequired } from '#auth/two-factor/two-factor.server.ts'
import { loginCodeTexts } from '#auth/two-factor/texts.ts'
import { userContext } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import { unlistedTitle } from '#routes/page-title.ts'
import type { Route } from './+types/login-code'

export function loader({ request, url, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  if (user) throw replace(pageAfterLogin(url.search, user))
  if (!isCodeRequired(request)) throw replace(`${href('/login')}/${url.search}`)
  return null
}

export async function action({ url, ...args }: Route.ActionArgs) {
  const { user, auth, form } = await readForm(args)
  if (user) throw replace(pageAfterLogin(url.search, user))
  const result = await verifyLoginCode(auth, formText(form, 'code'))
  if (result.ok) throw replace(pageAfterLogin(url.search, result.user))
  return data({ error: result.error, isOver: result.isOver }, { status: result.status })
}

export const headers: Route.HeadersFunction = () => ({
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-store',
})

export const meta: Route.MetaFunction = unlistedTitle(loginCodeTexts.pageTitle)

export default function LoginCode({ actionData }: Route.ComponentProps) {
  return <LoginCodePage failure={usePersistentActionData(actionData)} />
}
