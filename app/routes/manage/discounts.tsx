import { data } from 'react-router'
import { listCategories, listColors } from '#app/features/catalog/catalog.server.ts'
import { BulkDiscountQuestion } from '#app/features/discounts/items-panel.tsx'
import { ColorsDiscount, ItemsDiscount } from '#app/features/discounts/discounts-page.tsx'
import { handleDiscountAction } from '#app/features/discounts/discount.action.server.ts'
import {
  findItemsToDiscount,
  readUndoOffer,
} from '#app/features/discounts/discount-changes.server.ts'
import { parseItemSearch } from '#app/features/discounts/discount.ts'
import { discountsTexts } from '#app/features/discounts/texts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { revalidateUnlessOffline } from '#app/ui/action-result.ts'
import type { Route } from './+types/discounts'

export const meta: Route.MetaFunction = () => [{ title: discountsTexts.title }]

const searchOf = (request: Request) => parseItemSearch(new URL(request.url).searchParams)

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext)
  const search = searchOf(request)
  const found = await findItemsToDiscount(db, search)
  return {
    search,
    ...found,
    categories: await listCategories(db),
    colors: await listColors(db),
    offer: await readUndoOffer(db),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const actor = context.get(userContext)?.id ?? ''
  const { answer: result, status } = await handleDiscountAction(
    context.get(appContext),
    actor,
    form,
    searchOf(request),
  )
  // If the owner must confirm the change, the response is the same page with a question, also without JavaScript.
  if (result.question) return data(result, { status })
  return respond(context.get(requestInfoContext), form, result, status)
}

/** The page loads the stored data again even after the shop refused a write. [S-125] */
export const shouldRevalidate = revalidateUnlessOffline

export default function Discounts({ loaderData, actionData }: Route.ComponentProps) {
  const { colors, offer, ...found } = loaderData
  const question = actionData?.question
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{discountsTexts.title}</h1>
      {question && <BulkDiscountQuestion confirmation={question} />}
      <ColorsDiscount
        colors={colors}
        offer={offer?.noun === 'color' ? offer : null}
      />
      <ItemsDiscount
        {...found}
        offer={offer?.noun === 'items' ? offer : null}
      />
    </main>
  )
}
