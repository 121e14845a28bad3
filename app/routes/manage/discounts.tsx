import { listCategories, listColors } from '#catalog/catalog.server.ts'
import { BulkDiscountQuestion, ColorsDiscount, ItemsDiscount } from '#discounts/discounts-page.tsx'
import { discountActions, type DiscountResult } from '#discounts/discount.actions.server.ts'
import { findItemsToDiscount, readUndoOffer } from '#discounts/discount-changes.server.ts'
import { parseItemSearch } from '#discounts/discount.ts'
import { discountsTexts } from '#discounts/texts.ts'
import { appContext } from '#services/context.ts'
import { handleForm } from '#lib/http/form-actions.server.ts'
import { readForm, respond } from '#routes/action-response.server.ts'
import { type ActionOutcome, revalidateUnlessOffline } from '#ui/action-result.ts'
import type { Route } from './+types/discounts'

export const meta: Route.MetaFunction = () => [{ title: discountsTexts.title }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext)
  const search = parseItemSearch(url.searchParams)
  return {
    search,
    ...(await findItemsToDiscount(db, search)),
    categories: await listCategories(db),
    colors: await listColors(db),
    offer: await readUndoOffer(db),
  }
}

export async function action({ url, ...args }: Route.ActionArgs) {
  const { app, user, form, reply } = await readForm(args)
  const search = parseItemSearch(url.searchParams)
  const outcome: ActionOutcome<DiscountResult> = await handleForm(
    discountActions,
    { app, actor: user!.id, search },
    form,
  )
  if (outcome.answer.question) return respond(outcome)
  return reply(outcome)
}

export const shouldRevalidate = revalidateUnlessOffline

export default function Discounts({ loaderData, actionData }: Route.ComponentProps) {
  const { colors, offer, ...items } = loaderData
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
        {...items}
        offer={offer?.noun === 'items' ? offer : null}
      />
    </main>
  )
}
