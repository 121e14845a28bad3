import { data, href, redirect } from 'react-router'
import { favouriteTexts } from '#app/features/catalog/catalog.ts'
import { pageContext, shopContext, userContext, type Shop } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { transact } from '#app/platform/transact.server.ts'
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
  const isThere = await setFavourite(context.get(shopContext), user.id, textOf(form, 'itemId'), textOf(form, 'wanted') === 'yes')
  return isThere ? answer(page, form, { ok: true }) : answer(page, form, refused('no-item'), 404)
}

/** FAV-02, FAV-03, FAV-06: says what is wanted rather than "the other one", so that a doubled click changes nothing (S-073). */
async function setFavourite(shop: Shop, userId: string, itemId: string, isWanted: boolean): Promise<boolean> {
  const written = await transact(shop.db, async (tx) => {
    if (!isWanted) {
      const gone = await tx.deleteFrom('favourites').where('userId', '=', userId).where('itemId', '=', itemId).executeTakeFirst()
      return gone.numDeletedRows
    }
    if (!(await tx.selectFrom('items').select('id').where('id', '=', itemId).executeTakeFirst())) return null
    const added = await tx
      .insertInto('favourites')
      .values({ userId, itemId, createdAt: shop.now() })
      .onConflict((conflict) => conflict.columns(['userId', 'itemId']).doNothing())
      .executeTakeFirst()
    return added.numInsertedOrUpdatedRows ?? 0n
  })
  // Nothing is announced when nothing has changed: each announcement makes pages load their data again.
  if (written) shop.live.changed(`user:${userId}`)
  return written !== null
}

/** A lost connection must not take the page down with it: the heart goes back and says so. A refusal's status asks for no new data. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(() => data(refused('failed'), { status: 503 }))

export const loader = () => redirect(href('/'))
