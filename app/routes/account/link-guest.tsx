import { data, redirect, replace } from 'react-router'
import { pageAfterLogout } from '#auth/redirects.ts'
import { linkGuestResults as texts } from '#auth/guests/texts.ts'
import {
  deleteVerifiedAccount,
  convertToAccount,
  mergeGuest,
  verifyAccountForMerge,
  readMergePreview,
  type LinkResult,
} from '#auth/guests/link-guest.server.ts'
import { LinkGuestPage } from '#auth/login-pages.tsx'
import { parseCredentials } from '#auth/sign-in.server.ts'
import { takeFailure } from '#auth/oauth/oauth.server.ts'
import { SignInWith } from '#auth/oauth/sign-in-with.tsx'
import { requestInfoContext, appContext, userContext, type User } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { done } from '#ui/action-result.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import { readForm } from '#routes/action-response.server.ts'
import type { Route } from './+types/link-guest'

function asGuest(user: User | null) {
  if (user?.role === 'guest') return user
  throw redirect(user ? '/' : '/login/')
}

const comingFrom = (url: URL) => pageAfterLogout(url.searchParams.get('from') ?? '')

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const guest = asGuest(context.get(userContext))
  return {
    moves: await readMergePreview(app.db, guest.id, app.now()),
    from: comingFrom(url),
    providers: app.providers,
    failed: takeFailure(request, context.get(requestInfoContext)),
  }
}

export async function action({ url, ...args }: Route.ActionArgs) {
  const { app, auth, user, form, reply } = await readForm(args)
  const guest = asGuest(user)
  const credentials = parseCredentials(form)
  const finish = (text: string) => {
    form.set('back', comingFrom(url))
    throw reply(done(text))
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
    const merge = await mergeGuest(auth, guest, formText(form, 'seen'))
    return merge.ok ? finish(texts.merged) : refuse(merge)
  }
  if (intent === 'login') {
    const proof = await verifyAccountForMerge(auth, guest, credentials, formText(form, 'code'))
    if (proof.ok) throw replace(`/link-guest/${url.search}`)
    return refuse(proof)
  }
  const conversion = await convertToAccount(auth, guest, credentials)
  return conversion.ok ? finish(texts.accountCreated) : refuse(conversion)
}

export default function LinkGuest({ loaderData, actionData }: Route.ComponentProps) {
  const { providers, failed, ...page } = loaderData
  return (
    <LinkGuestPage
      {...page}
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
