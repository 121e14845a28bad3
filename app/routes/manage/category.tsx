import { listCategories } from '#app/features/catalog/categories.server.ts'
import { changeCategoryPicture, saveCategory, type CategorySaved } from '#app/features/categories/edit-categories.server.ts'
import { EditCategoriesPage } from '#app/features/categories/edit-categories-page.tsx'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import type { Route } from './+types/category'

export const meta: Route.MetaFunction = () => [{ title: 'Categories' }]

export async function loader({ context }: Route.LoaderArgs) {
  return { categories: await listCategories(context.get(shopContext).db) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, actor] = [context.get(shopContext), context.get(pageContext), context.get(userContext)?.id ?? '']
  const form = await readForm(request)
  const [intent, id] = [textOf(form, 'intent'), textOf(form, 'id')]
  try {
    if (intent === 'save') return reply(await saveCategory(shop, actor, id, { title: textOf(form, 'title'), color: textOf(form, 'color') }))
    if (intent === 'picture') return reply(await changeCategoryPicture(shop, actor, id, form.get('file')))
    // CATEGORY-05: nothing can be added.
    return answer(page, form, { ok: false }, 400)
  } catch (error) {
    if (error instanceof Response) throw error
    // CATEGORY-12: only logged.
    shop.log.error('a category could not be written', error)
    return answer(page, form, { ok: false }, 500)
  }

  function reply(saved: CategorySaved) {
    if (saved.ok) return answer(page, form, { ok: true })
    const result: Answer = saved.field === null ? { ok: false } : saved
    return answer(page, form, result, saved.field === null ? 404 : 422)
  }
}

export default function Categories({ loaderData }: Route.ComponentProps) {
  return <EditCategoriesPage categories={loaderData.categories} />
}
