import { z } from 'zod'
import type { Discount } from '#pricing/money.ts'
import type { AppServices } from '#services/context.ts'
import type { Currency } from '#lib/text/currency.ts'
import { type ActionTable, type FormHandler, refusedBy } from '#lib/http/form-actions.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { done, refused, type ActionOutcome, type ActionResult } from '#ui/action-result.ts'
import {
  dismissUndoOffer,
  setColorDiscount,
  setItemsDiscount,
  undoDiscountChange,
  type Confirmed,
  type Selection,
} from './discount-changes.server.ts'
import {
  freeWarning,
  parseTypedDiscount,
  shortDiscountText,
  undoneText,
  type BulkChange,
  type ItemSearch,
} from './discount.ts'
import { discountFieldTexts, discountTexts as texts, undoTexts } from './texts.ts'

export type ConfirmQuestion = {
  question: string
  warning: string | null
  fields: [name: string, value: string][]
}
export type DiscountResult = ActionResult & { question?: ConfirmQuestion; undone?: string }
type DiscountOutcome = ActionOutcome<DiscountResult>

type DiscountContext = { app: AppServices; actor: string; search: ItemSearch }

const refusals = {
  failed: { status: 500, toasts: [texts.failed] },
  deleted: { status: 409, toasts: [texts.failed] },
  'nothing-to-undo': { status: 409, toasts: [undoTexts.nothingUndone] },
}

const refuseField = (field: string, error: string, status = 422) =>
  refused(status, {
    toasts: [error],
    field,
    error,
    ...(field === 'value' && { help: discountFieldTexts.example }),
  })

export const discountActions: ActionTable<DiscountContext> = {
  'color-go': changeColor(false),
  'color-remove': changeColor(true),
  'items-apply': changeItems(false),
  'items-remove': changeItems(true),
  async undo({ app, actor }, form): Promise<DiscountOutcome> {
    const result = await undoDiscountChange(app, actor, formNumber(form, 'seq'))
    if (!result.ok) return refusedBy(refusals, result)
    const undone = undoneText(result.value)
    return { answer: { ok: true, toasts: [undone], undone }, status: 200 }
  },
  async dismiss({ app }, form) {
    const result = await dismissUndoOffer(app, formNumber(form, 'seq'))
    return result.ok ? done() : refusedBy(refusals, result)
  },
}

const noDiscount = { ok: true as const, discount: null }
const invalidTexts = (invalid: string) => ({ invalid, 'above-maximum': texts.aboveMaximum })

function changeColor(isEnding: boolean): FormHandler<DiscountContext> {
  const noColor = isEnding ? texts.noColorToRemove : texts.noColor
  return async ({ app, actor }, form) => {
    const color = formText(form, 'color')
    if (color === '') return refuseField('color', noColor)
    const typed = isEnding ? noDiscount : parseTypedDiscount(typeOf(form, 'percent'), valueOf(form))
    if (!typed.ok) return refuseField('value', invalidTexts(texts.notAboveZero)[typed.refusal])
    const result = await setColorDiscount(app, actor, color, typed.discount)
    if (result.ok) return done(isEnding ? texts.colorRemoved : texts.colorOnSale)
    if (result.refusal === 'not-found') return refuseField('color', noColor, 404)
    return refusedBy(refusals, result)
  }
}

const typeOf = (form: FormData, standard: Discount['type']) =>
  z.enum(['percent', 'amount']).catch(standard).parse(form.get('type'))
const valueOf = (form: FormData) => formText(form, 'value')

function changeItems(isEnding: boolean): FormHandler<DiscountContext> {
  return async ({ app, actor, search }, form): Promise<DiscountOutcome> => {
    const type = typeOf(form, 'amount')
    const typed = isEnding ? noDiscount : parseTypedDiscount(type, valueOf(form))
    if (!typed.ok) {
      const invalid = texts.invalidValue(valueOf(form).trim().slice(0, 100) || '0', type)
      return refuseField('value', invalidTexts(invalid)[typed.refusal])
    }
    const { discount } = typed
    const selection: Selection =
      formText(form, 'all') === 'on'
        ? { search, except: textsOf(form, 'except') }
        : { ids: textsOf(form, 'item') }
    const confirmed = parseConfirmed(form, selection)
    const result = await setItemsDiscount(app, actor, selection, discount, confirmed)
    if (result.ok) return done(discount ? texts.itemsOnSale : texts.itemsRemoved)
    if (result.refusal === 'no-items') return refuseField('item', texts.noItems)
    if (result.refusal === 'unconfirmed') {
      return refused(409, { question: questionFor(form, result.change, discount, app.currency) })
    }
    return refusedBy(refusals, result)
  }
}

const textsOf = (form: FormData, name: string) =>
  form.getAll(name).filter((value) => typeof value === 'string')

function parseConfirmed(form: FormData, selection: Selection): Confirmed {
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
    textsOf(form, name).map((value): [string, string] => [name, value]),
  )
  return {
    question: discount
      ? texts.applyQuestion(change.count, shortDiscountText(discount, currency))
      : texts.removeQuestion(change.count),
    warning: freeWarning(change, currency),
    fields: [...entries, ['count', String(change.count)], ['free', String(change.free)]],
  }
}

function formNumber(form: FormData, name: string) {
  const text = formText(form, name)
  return /^\d{1,15}$/.test(text) ? Number(text) : -1
}
