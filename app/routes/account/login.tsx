import { data, href, replace } from 'react-router'
import { loginLeads, loginResults } from '#auth/texts.ts'
import { itemPageBefore, pageAfterLogin } from '#auth/redirects.ts'
import { LoginPage } from '#auth/login-pages.tsx'
import { signInAsGuest, logIn, parseCredentials, register } from '#auth/sign-in.server.ts'
import { takeFailure } from '#auth/oauth/oauth.server.ts'
import { SignInWith } from '#auth/oauth/sign-in-with.tsx'
import { requestTexts } from '#orders/texts.ts'
import { loginPath } from '#ui/link-props.ts'
import { requestInfoContext, appContext, userContext } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import { readForm, setFlash } from '#routes/action-response.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import type { Route } from './+types/login'

export function loader({ request, url, context }: Route.LoaderArgs) {
  const user = context.get(userContext)
  // With `replace`, Back leads to the page before the login.
  if (user) throw replace(pageAfterLogin(url.search, user))
  const info = context.get(requestInfoContext)
  if (url.searchParams.has('order')) {
    // The toast waits for the next page, because the root loader may already have read the toasts
    // of this one.
    setFlash(info, [requestTexts.signedOut])
    const itemPage = itemPageBefore(url.search)
    throw replace(itemPage ? `${loginPath(itemPage)}&ordering` : href('/login'))
  }
  const { providers } = context.get(appContext)
  const isOrdering = url.searchParams.has('ordering')
  return {
    providers,
    failed: takeFailure(request, info),
    lead: isOrdering ? loginLeads.toOrder : loginLeads.other,
    isOrdering,
  }
}

export async function action({ url, ...args }: Route.ActionArgs) {
  const { app, info, auth, user, form } = await readForm(args)
  const credentials = parseCredentials(form)
  const intent = formText(form, 'intent')
  if (user) {
    const isSame =
      intent === 'guest' ? user.role === 'guest' : credentials.email.toLowerCase() === user.email
    if (!isSame) setFlash(info, [loginResults.alreadyLoggedIn(user)])
    throw replace(pageAfterLogin(url.search, user))
  }
  const signIn = () => {
    if (intent === 'guest') return signInAsGuest(auth)
    return intent === 'register' ? register(auth, credentials) : logIn(auth, credentials)
  }
  const result = await signIn()
  if (result.ok) {
    const isOwner = result.user.role === 'owner' && url.search === ''
    if (isOwner && !(await readSettings(app.db)).ownerName) throw replace('/manage/')
    if (itemPageBefore(url.search)) setFlash(info, [loginResults.backAtItem])
    throw replace(pageAfterLogin(url.search, result.user))
  }
  const { ok: _, status, asksForCode, ...failure } = result
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
  loaderData: { providers, failed, ...page },
  actionData,
}: Route.ComponentProps) {
  return (
    <LoginPage
      failure={usePersistentActionData(actionData)}
      {...page}
    >
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
