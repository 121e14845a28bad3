import { z } from 'zod'
import {
  type ActionTable,
  confirmed,
  type DetailedRefusalTable,
  formAction,
  refusalTable,
  refusedBy,
} from '#lib/http/form-actions.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import type { Refusal } from '#lib/refusal.ts'
import type { AppServices } from '#services/context.ts'
import { type ActionOutcome, done } from '#ui/action-result.ts'
import { itemFileErrorTexts } from '#images/texts.ts'
import { deleteItem, duplicateItem, saveItem, setForSale } from './edit-items.server.ts'
import {
  type ItemActionResult,
  type ItemField,
  type ItemFormResult,
  parseItemForm,
  parseRevision,
  readFiles,
  readImages,
} from './item-form.ts'
import { itemErrorTexts, itemFormTexts, itemTexts } from './texts.ts'

type ItemContext = { app: AppServices; actor: string; itemId: string | null }

const toast = (text: string) => ({ toasts: [text] })
const changeRefusals = refusalTable(
  { 'not-found': itemFormTexts.noLongerThere, failed: itemTexts.failed },
  toast,
)
const deletionRefusals = refusalTable(
  { 'not-found': itemTexts.deleteFailed, failed: itemTexts.deleteFailed },
  toast,
)

const doneWith = (text: string, details: Partial<ItemActionResult>): ActionOutcome => ({
  answer: { ok: true, toasts: [text], ...details },
  status: 200,
})

export const itemActions: ActionTable<ItemContext> = {
  delete: confirmed(
    async ({ app, actor, itemId }) => {
      const deleted = itemId ?? ''
      const result = await deleteItem(app, actor, deleted)
      return result.ok
        ? doneWith(itemTexts.deleted, { deleted })
        : refusedBy(deletionRefusals, result)
    },
    { status: 409, ...toast(itemTexts.deleteCancelled) },
  ),
  state: formAction({
    schema: z.object({ state: z.string().default('') }),
    run: ({ app, actor, itemId }: ItemContext, { state }) =>
      setForSale(app, actor, itemId ?? '', state === 'listed'),
    success: ({ value }) => itemTexts[value],
    refusals: changeRefusals,
  }),
  async duplicate({ app, actor, itemId }) {
    const result = await duplicateItem(app, actor, itemId ?? '')
    return result.ok
      ? doneWith(itemTexts.duplicated, { copyId: result.value })
      : refusedBy(changeRefusals, result)
  },
}

const refusal = (status: number, error: string, field?: ItemField) => ({
  status,
  toasts: [error],
  error,
  field,
})
type SaveRefusal = Extract<Awaited<ReturnType<typeof saveItem>>, Refusal>
const saveRefusals: DetailedRefusalTable<SaveRefusal, undefined> = {
  gone: refusal(404, itemTexts.gone),
  conflict: refusal(409, itemTexts.conflict),
  invalid: ({ error, field }) => refusal(422, error, field),
  file: ({ reason }) => refusal(422, itemFileErrorTexts[reason], 'images'),
  'no-image': refusal(422, itemErrorTexts.images, 'images'),
  'no-category': refusal(422, itemErrorTexts.categoryId, 'categoryId'),
  'uploads-lost': refusal(409, itemTexts.uploadsLost, 'images'),
  'upload-failed': refusal(500, itemTexts.uploadFailed),
  failed: ({ urls }) =>
    refusal(500, urls.length > 0 ? itemTexts.filesLeft(urls) : itemTexts.failed),
}

export async function handleItemForm(
  { app, actor, itemId }: ItemContext,
  form: FormData,
): Promise<ActionOutcome<ItemFormResult>> {
  const typed = {
    typed: parseItemForm(form),
    images: readImages(form),
    revision: parseRevision(form, 'revision'),
  }
  const files = readFiles(form)
  const result = await saveItem(app, actor, {
    ...typed,
    id: itemId,
    files,
    keep: parseRevision(form, 'keep'),
    state: formText(form, 'state'),
  })
  if (result.ok) return done(result.text)
  const { answer, status } = refusedBy(saveRefusals, result)
  return {
    status,
    answer: {
      ...answer,
      ...typed,
      filesLost: files.length > 0,
      isGone: result.refusal === 'gone',
      ...('stored' in result && { conflict: result.stored }),
      ...('lost' in result && { lost: result.lost }),
    },
  }
}
