/** What the forms of the colours' page ask for. */
import type { Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { changeColor } from './change-color.server.ts'
import { isColorMark } from './color-fields.ts'
import { addColor, deleteColor, markColor, type ColorAdded, type ColorChanged } from './edit-colors.server.ts'

type Result = Answer & { status: number }

export async function actOnColor(shop: Shop, actor: string, form: FormData): Promise<Result> {
  const [intent, id, mark] = [textOf(form, 'intent'), textOf(form, 'id'), textOf(form, 'mark')]
  if (intent === 'add') return resultOf(await addColor(shop, actor, textOf(form, 'name'), form.get('file')))
  if (intent === 'change')
    return resultOf(await changeColor(shop, actor, id, { name: textOf(form, 'name'), was: textOf(form, 'was'), file: form.get('file') }))
  if (intent === 'mark' && isColorMark(mark)) return found(await markColor(shop, actor, id, mark, form.has('on')))
  if (intent === 'delete' && textOf(form, 'confirm') === 'Yes') return found(await deleteColor(shop, actor, id))
  return { ok: false, status: 400 }
}

const found = (ok: boolean): Result => ({ ok, status: ok ? 200 : 404 })

function resultOf(done: ColorAdded | ColorChanged): Result {
  if (done.ok) return { ok: true, status: 200 }
  return done.field === null ? found(false) : { ...done, status: 422 }
}
