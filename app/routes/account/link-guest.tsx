import { data, redirect, replace } from 'react-router'
import { pageAfterLogout } from '#app/features/auth/redirects.ts'
import { linkGuestResults as texts } from '#app/features/auth/guests/texts.ts'
import {
  deleteVerifiedAccount,
  convertToAccount,
  verifyAccountForMerge,
  readMergePreview,
  type LinkResult,
} from '#app/features/auth/guests/link-guest.server.ts'
import { mergeGuest } from '#app/features/auth/guests/merge-guest.server.ts'
import { LinkGuestPage } from '#app/features/auth/login-pages.tsx'
import { takeFailure } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { SignInWith } from '#app/features/auth/oauth/sign-in-with.tsx'
import { requestInfoContext, appContext, userContext, type User } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/link-guest'

/** Redirects everyone except guests, because only guests can link an account. [S-005] */
function asGuest(user: User | null): User {
  if (user?.role === 'guest') return user
  throw redirect(user ? '/' : '/login/')
}

const comingFrom = (url: URL) => pageAfterLogout(url.searchParams.get('from') ?? '')

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const [app, guest] = [context.get(appContext), asGuest(context.get(userContext))]
  return {
    moves: await readMergePreview(app.db, guest.id, app.now()),
    from: comingFrom(url),
    providers: app.providers.list.map(({ id, name }) => ({ id, name })),
    failed: takeFailure(request, context.get(requestInfoContext)),
  }
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const [app, info, guest] = [
    context.get(appContext),
    context.get(requestInfoContext),
    asGuest(context.get(userContext)),
  ]
  const [form, auth] = [await parseForm(request), { app, info, request }]
  const credentials = {
    email: formText(form, 'email').trim(),
    password: formText(form, 'password'),
    name: formText(form, 'name'),
  }
  const finish = (text: string) => {
    form.set('back', comingFrom(url))
    throw respond(info, form, { ok: true, toasts: [text] })
  }
  const refuse = ({ status, ...refused }: Exclude<LinkResult, { ok: true }>) =>
    data(
      { ...refused, email: credentials.email.slice(0, 254), name: credentials.name.slice(0, 254) },
      { status },
    )
  const intent = formText(form, 'intent')
  if (intent === 'move' && formText(form, 'confirm') !== 'Yes') {
    await deleteVerifiedAccount(app.db, guest.id)
    return finish(texts.notMerged)
  }
  if (intent === 'move') {
    const moved = await mergeGuest(auth, guest, formText(form, 'seen'))
    return moved.ok ? finish(texts.merged) : refuse(moved)
  }
  if (intent === 'login') {
    const proven = await verifyAccountForMerge(auth, guest, credentials, formText(form, 'code'))
    // After this redirect, the page asks the guest whether the shop may move her favorites and messages to the account.
    if (proven.ok) throw replace(`/link-guest/${url.search}`)
    return refuse(proven)
  }
  const linked = await convertToAccount(auth, guest, credentials)
  return linked.ok ? finish(texts.accountCreated) : refuse(linked)
}

export default function LinkGuest({ loaderData, actionData }: Route.ComponentProps) {
  const { providers, failed, ...shown } = loaderData
  return (
    <LinkGuestPage
      {...shown}
      failure={usePersistentActionData(actionData)}
    >
      {providers.map((provider) => (
        <SignInWith
          key={provider.id}
          provider={provider}
          purpose="link"
          failed={failed}
        />
      ))}
    </LinkGuestPage>
  )
}
