import { data, href, replace } from 'react-router'
import { loginResults } from '#app/features/auth/texts.ts'
import { itemPageBefore, pageAfterLogin } from '#app/features/auth/redirects.ts'
import { LoginPage } from '#app/features/auth/login-pages.tsx'
import { signInAsGuest, logIn, register } from '#app/features/auth/sign-in.server.ts'
import { takeFailure } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { SignInWith } from '#app/features/auth/oauth/sign-in-with.tsx'
import { requestTexts } from '#app/features/orders/texts.ts'
import { loginPath } from '#app/ui/link-props.ts'
import { requestInfoContext, appContext, userContext, type User } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { setFlash } from '#app/routes/action-response.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { Route } from './+types/login'

/** Replaces the login page in the browser's history, so that the Back button leads to the page that was open before the login page. */
const away = (url: URL, user: Pick<User, 'role'>) =>
  replace(pageAfterLogin(url.search, user.role === 'admin'))

export function loader({ request, url, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  if (user) throw away(url, user)
  const info = context.get(requestInfoContext)
  if (url.searchParams.has('order')) {
    // The root loader runs at the same time and may read the toasts before this line stores a toast. After the redirect, the root loader reads this toast. [ITEM-35]
    setFlash(info, [requestTexts.signedOut])
    const itemPage = itemPageBefore(url.search)
    throw replace(itemPage ? `${loginPath(itemPage)}&ordering` : href('/login'))
  }
  const { providers } = context.get(appContext)
  return {
    providers: providers.list.map(({ id, name }) => ({ id, name })),
    failed: takeFailure(request, info),
  }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const user = context.get(userContext)
  const auth = { app: context.get(appContext), info: context.get(requestInfoContext), request }
  const form = await parseForm(request)
  const credentials = {
    email: formText(form, 'email').trim(),
    password: formText(form, 'password'),
    name: formText(form, 'name'),
  }
  const intent = formText(form, 'intent')
  if (user) {
    // A double click or another browser tab has already logged in a user. If this form would log in the same user, no message is needed. [S-244]
    const isSame =
      intent === 'guest' ? user.role === 'guest' : credentials.email.toLowerCase() === user.email
    if (!isSame) setFlash(auth.info, [loginResults.alreadyLoggedIn(user)])
    throw away(url, user)
  }
  const done =
    intent === 'guest'
      ? await signInAsGuest(auth)
      : intent === 'register'
        ? await register(auth, credentials)
        : await logIn(auth, credentials)
  // The owner of a new shop begins on the dashboard, which lists the first steps. [OWN-115]
  if (
    done.ok &&
    done.user.role === 'admin' &&
    url.search === '' &&
    !(await readSettings(auth.app.db)).ownerName
  )
    throw replace('/manage/')
  if (done.ok) {
    if (itemPageBefore(url.search)) setFlash(auth.info, [loginResults.backAtItem])
    throw away(url, done.user)
  }
  const { status, error, help, errors, asksForCode } = done
  const failure = { error, help, errors }
  if (asksForCode) throw replace(`${href('/login/code')}/${url.search}`)
  return data(
    {
      ...failure,
      email: credentials.email.slice(0, 254),
      name: credentials.name.slice(0, 254),
      intent,
    },
    { status },
  )
}

export default function Login({
  loaderData: { providers, failed },
  actionData,
}: Route.ComponentProps) {
  return (
    <LoginPage failure={usePersistentActionData(actionData)}>
      {providers.map((provider) => (
        <SignInWith
          key={provider.id}
          provider={provider}
          failed={failed}
        />
      ))}
    </LoginPage>
  )
}
