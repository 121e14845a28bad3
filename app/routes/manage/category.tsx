import { listCategories } from '#app/features/catalog/categories.server.ts'
import { actOnCategory } from '#app/features/categories/category-acts.server.ts'
import { EditCategoriesPage } from '#app/features/categories/edit-categories-page.tsx'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Route } from './+types/category'

export const meta: Route.MetaFunction = () => [{ title: 'Categories' }]

export async function loader({ context }: Route.LoaderArgs) {
  return { categories: await listCategories(context.get(shopContext).db) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const form = await readForm(request)
  const result = await actOnCategory(shop, context.get(userContext)?.id ?? '', form).catch((error: unknown) => {
    // CATEGORY-12: only logged.
    shop.log.error('a category could not be written', error)
    return { ok: false, status: 500 }
  })
  return answer(context.get(pageContext), form, result, result.status)
}

export default function Categories({ loaderData }: Route.ComponentProps) {
  return <EditCategoriesPage categories={loaderData.categories} />
}
