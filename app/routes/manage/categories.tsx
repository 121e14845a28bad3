import {
  handleCategoryAction,
  listEditedCategories,
} from '#app/features/categories/edit-categories.server.ts'
import { EditCategoriesPage } from '#app/features/categories/edit-categories-page.tsx'
import { categoriesTexts } from '#app/features/categories/texts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { refused } from '#app/ui/action-result.ts'
import type { Route } from './+types/categories'

export const meta: Route.MetaFunction = () => [{ title: categoriesTexts.title }]

export async function loader({ context }: Route.LoaderArgs) {
  return { categories: await listEditedCategories(context.get(appContext).db) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext)
  const form = await parseForm(request)
  const acted = await handleCategoryAction(app, context.get(userContext)?.id ?? '', form).catch(
    (error: unknown) => {
      // The error is only logged, and the page shows no message. [CATEGORY-12]
      app.log.error('a category could not be written', error)
      return refused(500)
    },
  )
  return respond(context.get(requestInfoContext), form, acted.answer, acted.status)
}

export default function Categories({ loaderData }: Route.ComponentProps) {
  return <EditCategoriesPage categories={loaderData.categories} />
}
