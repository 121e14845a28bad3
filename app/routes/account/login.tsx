import { data, href, replace } from 'react-router'
import { alreadyIn } from '#app/features/auth/auth-texts.ts'
import { pageAfterLogin } from '#app/features/auth/redirects.ts'
import { LoginPage } from '#app/features/auth/login-pages.tsx'
import { enterAsGuest, logIn, register } from '#app/features/auth/sign-in.server.ts'
import { takeFailure } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { SignInWith } from '#app/features/auth/oauth/sign-in-with.tsx'
import { pageContext, shopContext, userContext, type User } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { tellNext } from '../answer.server.ts'
import type { Route } from './+types/login'

/** In the place of the login in the browser's history: Back leads to where one was before. */
const away = (url: URL, user: Pick<User, 'role'>) => replace(pageAfterLogin(url.search, user.role === 'admin'))

export function loader({ request, url, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  if (user) throw away(url, user)
  const [{ providers }, page] = [context.get(shopContext), context.get(pageContext)]
  return { providers: providers.list.map(({ id, name }) => ({ id, name })), failed: takeFailure(request, page) }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const user = context.get(userContext)
  const asker = { shop: context.get(shopContext), page: context.get(pageContext), request }
  const form = await readForm(request)
  const credentials = { email: textOf(form, 'email').trim(), password: textOf(form, 'password') }
  const intent = textOf(form, 'intent')
  if (user) {
    // S-244: from another tab. Whoever pressed twice has nothing to be told.
    const isSame = intent === 'guest' ? user.role === 'guest' : credentials.email.toLowerCase() === user.email
    if (!isSame) tellNext(asker.page, [alreadyIn(user)])
    throw away(url, user)
  }
  const done =
    intent === 'guest'
      ? await enterAsGuest(asker)
      : intent === 'register'
        ? await register(asker, credentials)
        : await logIn(asker, credentials)
  if (done.ok) throw away(url, done.user)
  if (done.asksForCode) throw replace(`${href('/login/code')}/${url.search}`)
  return data({ error: done.error, help: done.help, email: credentials.email.slice(0, 254), intent }, { status: done.status })
}

export default function Login({ loaderData: { providers, failed }, actionData }: Route.ComponentProps) {
  return (
    <LoginPage failure={useKeptAnswer(actionData)}>
      {providers.map((provider) => (
        <SignInWith key={provider.id} provider={provider} failed={failed} />
      ))}
    </LoginPage>
  )
}
