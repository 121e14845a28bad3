import { parseReorder, type Reorder } from '#ui/list-order.ts'
import { done, refused } from '#ui/action-result.ts'
import type { Refusal } from '../refusal.ts'
import type { FormHandler } from './form-actions.server.ts'

export const reorderAction =
  <Context>(
    run: (context: Context, change: Reorder, form: FormData) => Promise<{ ok: true } | Refusal>,
  ): FormHandler<Context> =>
  async (context, form) => {
    const change = parseReorder(form)
    if (!change) return refused(400)
    const result = await run(context, change, form)
    return result.ok ? done() : refused(result.refusal === 'not-found' ? 404 : 500)
  }
