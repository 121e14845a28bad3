import type { Discount } from '#app/features/pricing/money.ts'
import type { Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { done, refused, type ActionResult, type Answer } from '#app/ui/answer.ts'
import { dismissOffer, setColorDiscount, setItemsDiscount, undoChange, type Agreed, type Selection } from './discount-changes.server.ts'
import {
  applyQuestion,
  discountTexts,
  freeWarning,
  readType,
  readTypedDiscount,
  refusedValue,
  removeQuestion,
  undoneText,
  type Asked,
  type ItemSearch,
} from './discount-texts.ts'

/** DISC-47, DISC-48: what she is asked, and the form that a Yes sends. */
export type Question = { question: string; warning: string | null; fields: [name: string, value: string][] }
export type DiscountAnswer = Answer & { asked?: Question; undone?: string }
type Acted = ActionResult<DiscountAnswer>

const refuse = (error: string, field?: string, status = 422): Acted => refused(status, { toasts: [error], ...(field && { field, error }) })

export async function handleDiscountAction(shop: Shop, actor: string, form: FormData, search: ItemSearch): Promise<Acted> {
  try {
    switch (textOf(form, 'intent')) {
      case 'color-go':
      case 'color-remove':
        return await changeColor(shop, actor, form)
      case 'items-apply':
      case 'items-remove':
        return await changeItems(shop, actor, form, search)
      case 'undo':
        return await undo(shop, actor, numberIn(form, 'seq'))
      case 'dismiss':
        await dismissOffer(shop, numberIn(form, 'seq'))
        return done()
    }
    return refused(400)
  } catch (error) {
    shop.log.error('a discount could not be written', error)
    return refuse(discountTexts.failed, undefined, 500)
  }
}

async function changeColor(shop: Shop, actor: string, form: FormData): Promise<Acted> {
  const isEnding = textOf(form, 'intent') === 'color-remove'
  const color = textOf(form, 'color')
  const noColor = isEnding ? discountTexts.noColorToRemove : discountTexts.noColor
  if (color === '') return refuse(noColor, 'color')
  const discount = isEnding ? null : readTypedDiscount(readType(textOf(form, 'type'), 'percent'), textOf(form, 'value'))
  if (!isEnding && !discount) return refuse(discountTexts.notAboveZero, 'value')
  if (!(await setColorDiscount(shop, actor, color, discount))) return refuse(noColor, 'color', 404)
  return done(isEnding ? discountTexts.colorRemoved : discountTexts.colorOnSale)
}

async function changeItems(shop: Shop, actor: string, form: FormData, search: ItemSearch): Promise<Acted> {
  const isEnding = textOf(form, 'intent') === 'items-remove'
  const [type, typed] = [readType(textOf(form, 'type'), 'amount'), textOf(form, 'value')]
  const discount = isEnding ? null : readTypedDiscount(type, typed)
  if (!isEnding && !discount) return refuse(refusedValue(typed.trim().slice(0, 100), type), 'value')
  const selection = selectionIn(form, search)
  const changed = await setItemsDiscount(shop, actor, selection, discount, agreedIn(form, selection))
  switch (changed.result) {
    case 'done':
      return done(discount ? discountTexts.itemsOnSale : discountTexts.itemsRemoved)
    case 'none':
      return refuse(discountTexts.noItems)
    case 'gone':
      return refuse(discountTexts.failed, undefined, 409)
    case 'ask':
      return refused(409, { asked: questionFor(form, changed.asked, discount) })
  }
}

const textsOf = (form: FormData, name: string): string[] => form.getAll(name).filter((value) => typeof value === 'string')

/** "Select All" is all that the search finds, not only the cards that are drawn (S-123). */
const selectionIn = (form: FormData, search: ItemSearch): Selection =>
  textOf(form, 'all') === 'on' ? { search, except: textsOf(form, 'except') } : { ids: textsOf(form, 'item') }

/** DISC-49: nothing is written without a Yes, and a Yes counts for what was asked; a plain one for the ticked items. */
function agreedIn(form: FormData, selection: Selection): Agreed {
  if (textOf(form, 'confirm') !== 'Yes') return null
  if (form.has('count')) return { count: numberIn(form, 'count'), free: numberIn(form, 'free') }
  return 'ids' in selection ? { count: new Set(selection.ids).size, free: 0 } : null
}

function questionFor(form: FormData, asked: Asked, discount: Discount | null): Question {
  const kept = ['intent', 'type', 'value', 'all', 'except', 'item'].flatMap((name) =>
    textsOf(form, name).map((value): [string, string] => [name, value]),
  )
  return {
    question: discount ? applyQuestion(asked.count, discount) : removeQuestion(asked.count),
    warning: freeWarning(asked),
    fields: [...kept, ['count', String(asked.count)], ['free', String(asked.free)]],
  }
}

async function undo(shop: Shop, actor: string, seq: number): Promise<Acted> {
  const undone = await undoChange(shop, actor, seq)
  if (!undone) return refuse(discountTexts.nothingUndone, undefined, 409)
  const text = undoneText(undone)
  return { answer: { ok: true, toasts: [text], undone: text }, status: 200 }
}

const numberIn = (form: FormData, name: string): number => {
  const text = textOf(form, name)
  return /^\d{1,15}$/.test(text) ? Number(text) : -1
}
