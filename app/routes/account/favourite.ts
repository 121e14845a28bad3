import { data, href, redirect } from 'react-router'
import { setFavourite } from '#app/features/catalog/favorites/favourites.server.ts'
import { favouriteTexts } from '#app/features/catalog/catalog.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { answer } from '../answer.server.ts'
import type { Route } from './+types/favourite'

const refused = (refusal: keyof typeof favouriteTexts): Answer => ({ ok: false, toasts: [favouriteTexts[refusal]] })

/** FAV-01: only for those who are signed in, guests among them (S-006). */
export async function action({ request, context }: Route.ActionArgs) {
  const page = context.get(pageContext)
  const user = context.get(userContext)
  const form = await readForm(request)
  if (!user) return answer(page, form, refused('signed-out'), 401)
  const wish = { userId: user.id, itemId: textOf(form, 'itemId'), isWanted: textOf(form, 'wanted') === 'yes' }
  const done = await setFavourite(context.get(shopContext), wish)
  return done.ok ? answer(page, form, { ok: true }) : answer(page, form, refused(done.refusal), 404)
}

/** A lost connection must not take the page down with it: the heart goes back and says so. A refusal's status asks for no new data. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(() => data(refused('failed'), { status: 503 }))

export const loader = () => redirect(href('/'))
