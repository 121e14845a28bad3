import { data } from 'react-router'
import { listCategories, listColors } from '#app/features/catalog/catalog.server.ts'
import { AskedQuestion } from '#app/features/discounts/items-panel.tsx'
import { ColorsDiscount, ItemsDiscount } from '#app/features/discounts/discounts-page.tsx'
import { handleDiscountAction } from '#app/features/discounts/discount-acts.server.ts'
import { findItems, readOffer } from '#app/features/discounts/discount-changes.server.ts'
import { readItemSearch } from '#app/features/discounts/discount-texts.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import { readsAgain } from '#app/ui/answer.ts'
import type { Route } from './+types/discount'

export const meta: Route.MetaFunction = () => [{ title: 'Discounts' }]

const searchOf = (request: Request) => readItemSearch(new URL(request.url).searchParams)

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(shopContext)
  const search = searchOf(request)
  const found = await findItems(db, search)
  return { search, ...found, categories: await listCategories(db), colors: await listColors(db), offer: await readOffer(db) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const actor = context.get(userContext)?.id ?? ''
  const { answer: result, status } = await handleDiscountAction(context.get(shopContext), actor, form, searchOf(request))
  // Without script the page itself comes back and asks.
  if (result.asked) return data(result, { status })
  return answer(context.get(pageContext), form, result, status)
}

/** A refused write, too, reads again what is stored (S-125). */
export const shouldRevalidate = readsAgain

export default function Discounts({ loaderData, actionData }: Route.ComponentProps) {
  const { colors, offer, ...found } = loaderData
  const asked = actionData?.asked
  return (
    <main className="page" id="main">
      <h1>Discounts</h1>
      {asked && <AskedQuestion asked={asked} />}
      <ColorsDiscount colors={colors} offer={offer?.noun === 'color' ? offer : null} />
      <ItemsDiscount {...found} offer={offer?.noun === 'items' ? offer : null} />
    </main>
  )
}
