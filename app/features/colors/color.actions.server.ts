import { type ActionTable, confirmed, outcomeOf } from '#lib/http/form-actions.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import type { AppServices } from '#services/context.ts'
import { refused } from '#ui/action-result.ts'
import { fileRefusals } from '#images/edit-images.server.ts'
import { isColorFlag } from './color-fields.ts'
import { addColor, changeColor, deleteColor, setColorFlag } from './edit-colors.server.ts'

type ColorContext = { app: AppServices; actor: string }

/** The page shows no text for 'failed', which the shop only logs. */
const colorRefusals = {
  ...fileRefusals,
  'invalid-name': ({ error }: { error: string }) => ({ status: 422, field: 'name', error }),
  'not-found': { status: 404 },
  failed: { status: 500 },
}

export const colorActions: ActionTable<ColorContext> = {
  async add({ app, actor }, form) {
    const result = await addColor(app, actor, formText(form, 'name'), form.get('file'))
    return outcomeOf(result, colorRefusals)
  },
  async change({ app, actor }, form) {
    const typed = {
      name: formText(form, 'name'),
      was: formText(form, 'was'),
      file: form.get('file'),
    }
    return outcomeOf(await changeColor(app, actor, formText(form, 'id'), typed), colorRefusals)
  },
  async mark({ app, actor }, form) {
    const flag = formText(form, 'mark')
    if (!isColorFlag(flag)) return refused(400)
    const result = await setColorFlag(app, actor, formText(form, 'id'), flag, form.has('on'))
    return outcomeOf(result, colorRefusals)
  },
  delete: confirmed(
    async ({ app, actor }, form) =>
      outcomeOf(await deleteColor(app, actor, formText(form, 'id')), colorRefusals),
    {},
  ),
}
