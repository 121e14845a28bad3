import { data, redirect, replace } from 'react-router'
import { pageAfterLogout } from '#app/features/auth/redirects.ts'
import { actOnLink } from '#app/features/auth/guests/merge-guest.server.ts'
import { LinkGuestPage } from '#app/features/auth/guests/link-guest-page.tsx'
import { readWhatMoves } from '#app/features/auth/guests/link-account.server.ts'
import { takeFailure } from '#app/features/auth/oauth/oauth-pages.server.ts'
import { SignInWith } from '#app/features/auth/oauth/sign-in-with.tsx'
import { pageContext, shopContext, userContext, type User } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
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
  const form = await readForm(request)
  const done = await actOnLink({ shop, page, request }, guest, form)
  if (!done.ok) return data({ error: done.error, help: done.help, email: done.email }, { status: done.status })
  if (done.told === null) throw replace(`/link-guest/${url.search}`)
  form.set('back', comingFrom(url))
  throw answer(page, form, { ok: true, toasts: [done.told] })
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
