import { categoryActions } from '#categories/category.actions.server.ts'
import { listEditedCategories } from '#categories/edit-categories.server.ts'
import { EditCategoriesPage } from '#categories/edit-categories-page.tsx'
import { categoriesTexts } from '#categories/texts.ts'
import { appContext } from '#services/context.ts'
import { ownerAction } from '#routes/action-response.server.ts'
import type { Route } from './+types/categories'

export const meta: Route.MetaFunction = () => [{ title: categoriesTexts.title }]

export async function loader({ context }: Route.LoaderArgs) {
  return { categories: await listEditedCategories(context.get(appContext).db) }
}

export const action = ownerAction(categoryActions)

export default function Categories({ loaderData }: Route.ComponentProps) {
  return <EditCategoriesPage categories={loaderData.categories} />
}
