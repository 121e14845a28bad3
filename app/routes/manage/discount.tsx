import { listCategories } from '#app/features/catalog/categories.server.ts'
import { listColors } from '#app/features/catalog/colors.server.ts'
import { listItems } from '#app/features/catalog/items.server.ts'
import { ColorsDiscount } from '#app/features/discounts/colors-discount.tsx'
import { actOnDiscounts } from '#app/features/discounts/discount-acts.server.ts'
import { matchesSearch, readItemSearch } from '#app/features/discounts/item-search.ts'
import { ItemsDiscount } from '#app/features/discounts/items-discount.tsx'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/discount'

export const meta: Route.MetaFunction = () => [{ title: 'Discounts' }]

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(shopContext)
  const search = readItemSearch(new URL(request.url).searchParams)
  const items = (await listItems(db)).filter((item) => matchesSearch(item, search))
  return { search, items, categories: await listCategories(db), colors: await listColors(db) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request)
  const { status, ...result } = await actOnDiscounts(context.get(shopContext), context.get(userContext)?.id ?? '', form)
  return answer(context.get(pageContext), form, result, status)
}

/** A refused write, too, reads again what is stored (S-125). */
export const shouldRevalidate = () => true

export default function Discounts({ loaderData: { search, items, categories, colors } }: Route.ComponentProps) {
  return (
    <main className="page" id="main">
      <h1>Discounts</h1>
      <ColorsDiscount colors={colors} />
      <ItemsDiscount categories={categories} items={items} search={search} />
    </main>
  )
}
