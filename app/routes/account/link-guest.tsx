import { data, redirect, replace } from 'react-router'
import { pageAfterLogout } from '#app/features/auth/redirects.ts'
import { KEPT, MOVED, NOT_MOVED } from '#app/features/auth/guests/guests.ts'
import { forgetProof, keepGuest, proveAccount, readWhatMoves } from '#app/features/auth/guests/link-guest.server.ts'
import { moveGuest } from '#app/features/auth/guests/merge-guest.server.ts'
import { LinkGuestPage } from '#app/features/auth/login-pages.tsx'
import { takeFailure } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { SignInWith } from '#app/features/auth/oauth/sign-in-with.tsx'
import { pageContext, shopContext, userContext, type User } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/link-guest'

/** S-005: whoever is no guest has nothing to link. */
function asGuest(user: User | null): User {
  if (user?.role === 'guest') return user
  throw redirect(user ? '/' : '/login/')
}

/** The page on which she pressed the button. */
const comingFrom = (url: URL) => pageAfterLogout(url.searchParams.get('from') ?? '')

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const [shop, guest] = [context.get(shopContext), asGuest(context.get(userContext))]
  return {
    moves: await readWhatMoves(shop.db, guest.id, shop.now()),
    from: comingFrom(url),
    providers: shop.providers.list.map(({ id, name }) => ({ id, name })),
    failed: takeFailure(request, context.get(pageContext)),
  }
}

/** NAV-41, S-002 */
export async function action({ request, url, context }: Route.ActionArgs) {
  const [shop, page, guest] = [context.get(shopContext), context.get(pageContext), asGuest(context.get(userContext))]
  const [form, asker] = [await readForm(request), { shop, page, request }]
  const credentials = { email: textOf(form, 'email').trim(), password: textOf(form, 'password') }
  const told = (text: string) => {
    form.set('back', comingFrom(url))
    throw answer(page, form, { ok: true, toasts: [text] })
  }
  const refuse = ({ status, ...refused }: { error: string; help?: string; status: number }) =>
    data({ ...refused, email: credentials.email.slice(0, 254) }, { status })
  const intent = textOf(form, 'intent')
  if (intent === 'move' && textOf(form, 'confirm') !== 'Yes') {
    await forgetProof(shop.db, guest.id)
    return told(NOT_MOVED)
  }
  if (intent === 'move') {
    const moved = await moveGuest(asker, guest, textOf(form, 'seen'))
    return moved.ok ? told(MOVED) : refuse(moved)
  }
  if (intent === 'login') {
    const proven = await proveAccount(asker, guest, credentials)
    // The page asks before anything moves.
    if (proven.ok) throw replace(`/link-guest/${url.search}`)
    return refuse(proven)
  }
  const kept = await keepGuest(asker, guest, credentials)
  return kept.ok ? told(KEPT) : refuse(kept)
}

export default function LinkGuest({ loaderData, actionData }: Route.ComponentProps) {
  const { providers, failed, ...shown } = loaderData
  return (
    <LinkGuestPage {...shown} failure={useKeptAnswer(actionData)}>
      {providers.map((provider) => (
        <SignInWith key={provider.id} provider={provider} purpose="link" failed={failed} />
      ))}
    </LinkGuestPage>
  )
}
