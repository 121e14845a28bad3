import { listCategories } from '#app/features/catalog/catalog.server.ts'
import { handleCategoryAction } from '#app/features/categories/edit-categories.server.ts'
import { EditCategoriesPage } from '#app/features/categories/edit-categories-page.tsx'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import { refused } from '#app/ui/answer.ts'
import type { Route } from './+types/category'

export const meta: Route.MetaFunction = () => [{ title: 'Categories' }]

export async function loader({ context }: Route.LoaderArgs) {
  return { categories: await listCategories(context.get(shopContext).db) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const form = await readForm(request)
  const acted = await handleCategoryAction(shop, context.get(userContext)?.id ?? '', form).catch((error: unknown) => {
    // CATEGORY-12: only logged.
    shop.log.error('a category could not be written', error)
    return refused(500)
  })
  return answer(context.get(pageContext), form, acted.answer, acted.status)
}

export default function Categories({ loaderData }: Route.ComponentProps) {
  return <EditCategoriesPage categories={loaderData.categories} />
}
