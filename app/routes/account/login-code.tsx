import { data, href, replace } from 'react-router'
import { pageAfterLogin } from '#app/features/auth/redirects.ts'
import { LoginCodePage } from '#app/features/auth/code-pages.tsx'
import { enterCode, isAskedForCode } from '#app/features/auth/two-factor/two-factor.server.ts'
import { pageContext, shopContext, userContext, type User } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { pageTitle } from '../page-title.ts'
import type { Route } from './+types/login-code'

const away = (url: URL, user: Pick<User, 'role'>) => replace(pageAfterLogin(url.search, user.role === 'admin'))

/** Nobody comes here without having given the password. */
export function loader({ request, url, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  if (user) throw away(url, user)
  if (!isAskedForCode(request)) throw replace(`${href('/login')}/${url.search}`)
  return null
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const user = context.get(userContext)
  if (user) throw away(url, user)
  const asker = { shop: context.get(shopContext), page: context.get(pageContext), request }
  const done = await enterCode(asker, textOf(await readForm(request), 'code'))
  if (done.ok) throw away(url, done.user)
  return data({ error: done.error, isOver: done.isOver ?? false }, { status: done.status })
}

export const headers: Route.HeadersFunction = () => ({ 'X-Robots-Tag': 'noindex', 'Cache-Control': 'private, no-store' })

export const meta: Route.MetaFunction = ({ matches }) => [pageTitle(matches, 'Login code'), { name: 'robots', content: 'noindex' }]

export default function LoginCode({ actionData }: Route.ComponentProps) {
  return <LoginCodePage failure={useKeptAnswer(actionData)} />
}
