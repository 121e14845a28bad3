import type { Currency } from '#app/lib/text/currency.ts'
import type { Discount } from '#app/features/pricing/money.ts'
import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { done, refused, type ActionOutcome, type ActionResult } from '#app/ui/action-result.ts'
import type { Confirmed, Selection } from './discount-changes.server.ts'
import {
  dismissUndoOffer,
  setColorDiscount,
  setItemsDiscount,
  undoDiscountChange,
} from './discount-changes.server.ts'
import {
  freeWarning,
  parseType,
  parseTypedDiscount,
  shortDiscountText,
  undoneText,
  type BulkChange,
  type ItemSearch,
} from './discount.ts'
import { discountFieldTexts, discountTexts, undoTexts } from './texts.ts'

/** The question before a bulk discount, and the form fields that the button "Yes" of this question sends. [DISC-47, DISC-48] */
export type ConfirmQuestion = {
  question: string
  warning: string | null
  fields: [name: string, value: string][]
}
export type DiscountResult = ActionResult & { question?: ConfirmQuestion; undone?: string }
type DiscountOutcome = ActionOutcome<DiscountResult>

const refuse = (error: string, field?: string, status = 422): DiscountOutcome =>
  refused(status, {
    toasts: [error],
    ...(field && { field, error }),
    ...(field === 'value' && { help: discountFieldTexts.example }),
  })

export async function handleDiscountAction(
  app: AppServices,
  actor: string,
  form: FormData,
  search: ItemSearch,
): Promise<DiscountOutcome> {
  try {
    switch (formText(form, 'intent')) {
      case 'color-go':
      case 'color-remove':
        return await changeColor(app, actor, form)
      case 'items-apply':
      case 'items-remove':
        return await changeItems(app, actor, form, search)
      case 'undo':
        return await undo(app, actor, formNumber(form, 'seq'))
      case 'dismiss':
        await dismissUndoOffer(app, formNumber(form, 'seq'))
        return done()
    }
    return refused(400)
  } catch (error) {
    app.log.error('a discount could not be written', error)
    return refuse(discountTexts.failed, undefined, 500)
  }
}

async function changeColor(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<DiscountOutcome> {
  const isEnding = formText(form, 'intent') === 'color-remove'
  const color = formText(form, 'color')
  const noColor = isEnding ? discountTexts.noColorToRemove : discountTexts.noColor
  if (color === '') return refuse(noColor, 'color')
  const discount = isEnding
    ? null
    : parseTypedDiscount(parseType(formText(form, 'type'), 'percent'), formText(form, 'value'))
  if (!isEnding && !discount) return refuse(discountTexts.notAboveZero, 'value')
  if (!(await setColorDiscount(app, actor, color, discount))) return refuse(noColor, 'color', 404)
  return done(isEnding ? discountTexts.colorRemoved : discountTexts.colorOnSale)
}

async function changeItems(
  app: AppServices,
  actor: string,
  form: FormData,
  search: ItemSearch,
): Promise<DiscountOutcome> {
  const isEnding = formText(form, 'intent') === 'items-remove'
  const [type, typed] = [parseType(formText(form, 'type'), 'amount'), formText(form, 'value')]
  const discount = isEnding ? null : parseTypedDiscount(type, typed)
  if (!isEnding && !discount)
    return refuse(discountTexts.invalidValue(typed.trim().slice(0, 100) || '0', type), 'value')
  const selection = parseSelection(form, search)
  const changed = await setItemsDiscount(
    app,
    actor,
    selection,
    discount,
    confirmedIn(form, selection),
  )
  switch (changed.result) {
    case 'done':
      return done(discount ? discountTexts.itemsOnSale : discountTexts.itemsRemoved)
    case 'none':
      return refuse(discountTexts.noItems, 'item')
    case 'gone':
      return refuse(discountTexts.failed, undefined, 409)
    case 'ask':
      return refused(409, { question: questionFor(form, changed.change, discount, app.currency) })
  }
}

const formTexts = (form: FormData, name: string): string[] =>
  form.getAll(name).filter((value) => typeof value === 'string')

/** "Select All" selects all items that the search finds, except items that the owner has unticked. [S-123] */
const parseSelection = (form: FormData, search: ItemSearch): Selection =>
  formText(form, 'all') === 'on'
    ? { search, except: formTexts(form, 'except') }
    : { ids: formTexts(form, 'item') }

/** Returns how many items and how many free items the owner has confirmed with the button "Yes" of the question. Returns null if the owner has confirmed nothing. [DISC-49] */
function confirmedIn(form: FormData, selection: Selection): Confirmed {
  if (formText(form, 'confirm') !== 'Yes') return null
  if (form.has('count')) return { count: formNumber(form, 'count'), free: formNumber(form, 'free') }
  return 'ids' in selection ? { count: new Set(selection.ids).size, free: 0 } : null
}

function questionFor(
  form: FormData,
  change: BulkChange,
  discount: Discount | null,
  currency: Currency,
): ConfirmQuestion {
  const entries = ['intent', 'type', 'value', 'all', 'except', 'item'].flatMap((name) =>
    formTexts(form, name).map((value): [string, string] => [name, value]),
  )
  return {
    question: discount
      ? discountTexts.applyQuestion(change.count, shortDiscountText(discount, currency))
      : discountTexts.removeQuestion(change.count),
    warning: freeWarning(change, currency),
    fields: [...entries, ['count', String(change.count)], ['free', String(change.free)]],
  }
}

async function undo(app: AppServices, actor: string, seq: number): Promise<DiscountOutcome> {
  const undone = await undoDiscountChange(app, actor, seq)
  if (!undone) return refuse(undoTexts.nothingUndone, undefined, 409)
  const text = undoneText(undone)
  return { answer: { ok: true, toasts: [text], undone: text }, status: 200 }
}

const formNumber = (form: FormData, name: string): number => {
  const text = formText(form, name)
  return /^\d{1,15}$/.test(text) ? Number(text) : -1
}
