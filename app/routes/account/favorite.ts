import { data, href, redirect } from 'react-router'
import { favoriteTexts } from '#app/features/catalog/texts.ts'
import {
  requestInfoContext,
  appContext,
  userContext,
  type AppServices,
} from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/favorite'

const refused = (refusal: keyof typeof favoriteTexts): ActionResult => ({
  ok: false,
  toasts: [favoriteTexts[refusal]],
})

/** Adds or removes a favorite of a customer, a guest or the owner. The shop refuses the form of a visitor who is not logged in. [FAV-01, S-006] */
export async function action({ request, context }: Route.ActionArgs) {
  const info = context.get(requestInfoContext)
  const user = context.get(userContext)
  const form = await parseForm(request)
  if (!user) return respond(info, form, refused('signedOut'), 401)
  const isThere = await setFavorite(
    context.get(appContext),
    user.id,
    formText(form, 'itemId'),
    formText(form, 'wanted') === 'yes',
  )
  return isThere ? respond(info, form, { ok: true }) : respond(info, form, refused('noItem'), 404)
}

/** Stores the state that the form requests. The form does not toggle the state, so that a double click has the effect of one click. [FAV-02, FAV-03, FAV-06, S-073] */
async function setFavorite(
  app: AppServices,
  userId: string,
  itemId: string,
  isWanted: boolean,
): Promise<boolean> {
  const written = await inTransaction(app.db, async (tx) => {
    if (!isWanted) {
      const gone = await tx
        .deleteFrom('favorites')
        .where('userId', '=', userId)
        .where('itemId', '=', itemId)
        .executeTakeFirst()
      return gone.numDeletedRows
    }
    if (
      !(await tx
        .selectFrom('items')
        .select('id')
        .where('id', '=', itemId)
        .where('state', 'in', ['listed', 'sold'])
        .executeTakeFirst())
    )
      return null
    const added = await tx
      .insertInto('favorites')
      .values({ userId, itemId, createdAt: app.now() })
      .onConflict((conflict) => conflict.columns(['userId', 'itemId']).doNothing())
      .executeTakeFirst()
    return added.numInsertedOrUpdatedRows ?? 0n
  })
  if (written) app.live.changed(`user:${userId}`)
  return written !== null
}

/** If the browser is offline, the heart button shows the stored state again, and a toast reports the error. The status 503 prevents React Router from loading the page's data again. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(() => data(refused('failed'), { status: 503 }))

export const loader = () => redirect(href('/'))
