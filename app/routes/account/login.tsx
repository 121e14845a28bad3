import { data, href, redirect } from 'react-router'
import { LoginPage } from '#app/features/accounts/login-page.tsx'
import { enterAsGuest, logIn, register } from '#app/features/accounts/sign-in.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import type { Route } from './+types/login'

export function loader({ context }: Route.LoaderArgs) {
  if (context.get(userContext)) throw redirect(href('/'))
  return null
}

export async function action({ request, context }: Route.ActionArgs) {
  if (context.get(userContext)) throw redirect(href('/'))
  const asker = { shop: context.get(shopContext), page: context.get(pageContext), request }
  const form = await readForm(request)
  const credentials = { email: textOf(form, 'email').trim(), password: textOf(form, 'password') }
  const intent = textOf(form, 'intent')
  const done =
    intent === 'guest'
      ? await enterAsGuest(asker)
      : intent === 'register'
        ? await register(asker, credentials)
        : await logIn(asker, credentials)
  if (done.ok) throw redirect(href('/'))
  return data({ error: done.error, email: credentials.email.slice(0, 254), intent }, { status: done.status })
}

export default function Login({ actionData }: Route.ComponentProps) {
  return <LoginPage failure={actionData} />
}
