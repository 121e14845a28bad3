import { addColor, deleteColor, listColorUses, markColor } from '#app/features/colors/edit-colors.server.ts'
import { EditColorsPage } from '#app/features/colors/edit-colors-page.tsx'
import { listColors } from '#app/features/catalog/colors.server.ts'
import { pageContext, shopContext, userContext, type Shop } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import type { Route } from './+types/colors'

export const meta: Route.MetaFunction = () => [{ title: 'Colors' }]

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(shopContext)
  return { colors: await listColors(db), uses: await listColorUses(db) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page] = [context.get(shopContext), context.get(pageContext)]
  const form = await readForm(request)
  const result = await act(shop, context.get(userContext)?.id ?? '', form).catch((error: unknown): Answer & { status: number } => {
    // COLOR-18: only logged.
    shop.log.error('a colour could not be written', error)
    return { ok: false, status: 500 }
  })
  return answer(page, form, result, result.status)
}

async function act(shop: Shop, actor: string, form: FormData): Promise<Answer & { status: number }> {
  const [intent, id, mark] = [textOf(form, 'intent'), textOf(form, 'id'), textOf(form, 'mark')]
  if (intent === 'add') {
    const added = await addColor(shop, actor, textOf(form, 'name'), form.get('file'))
    return { ...added, status: added.ok ? 200 : 422 }
  }
  if (intent === 'mark' && (mark === 'isAvailable' || mark === 'isLowOnStock')) {
    const ok = await markColor(shop, actor, id, mark, form.has('on'))
    return { ok, status: ok ? 200 : 404 }
  }
  if (intent !== 'delete' || textOf(form, 'confirm') !== 'Yes') return { ok: false, status: 400 }
  const ok = await deleteColor(shop, actor, id)
  return { ok, status: ok ? 200 : 404 }
}

export default function Colors({ loaderData }: Route.ComponentProps) {
  return <EditColorsPage colors={loaderData.colors} uses={loaderData.uses} />
}
