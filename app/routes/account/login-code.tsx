import { data, href, replace } from 'react-router'
import { pageAfterLogin } from '#app/features/auth/redirects.ts'
import { LoginCodePage } from '#app/features/auth/verification-pages.tsx'
import { verifyLoginCode, isCodeRequired } from '#app/features/auth/two-factor/two-factor.server.ts'
import { loginCodeTexts } from '#app/features/auth/two-factor/texts.ts'
import { requestInfoContext, appContext, userContext, type User } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { pageTitle } from '../page-title.ts'
import type { Route } from './+types/login-code'

const away = (url: URL, user: Pick<User, 'role'>) =>
  replace(pageAfterLogin(url.search, user.role === 'admin'))

/** This page asks for the two-factor code. It opens only after a login with the correct password. */
export function loader({ request, url, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  if (user) throw away(url, user)
  if (!isCodeRequired(request)) throw replace(`${href('/login')}/${url.search}`)
  return null
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const user = context.get(userContext)
  if (user) throw away(url, user)
  const auth = { app: context.get(appContext), info: context.get(requestInfoContext), request }
  const done = await verifyLoginCode(auth, formText(await parseForm(request), 'code'))
  if (done.ok) throw away(url, done.user)
  return data({ error: done.error, isOver: done.isOver ?? false }, { status: done.status })
}

export const headers: Route.HeadersFunction = () => ({
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-store',
})

export const meta: Route.MetaFunction = ({ matches }) => [
  pageTitle(matches, loginCodeTexts.pageTitle),
  { name: 'robots', content: 'noindex' },
]

export default function LoginCode({ actionData }: Route.ComponentProps) {
  return <LoginCodePage failure={usePersistentActionData(actionData)} />
}
