/** What the forms of the discounts section ask for, and what they are told (DISC-11 to DISC-17, DISC-45 to DISC-54). */
import type { Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { applyQuestion, discountTexts, readType, readTypedDiscount, refusedValue, removeQuestion } from './discount-texts.ts'
import { setColorDiscount, setItemsDiscount } from './discounts.server.ts'

export type DiscountAnswer = Answer & { status: number }

const done = (text: string): DiscountAnswer => ({ ok: true, toasts: [text], status: 200 })
const refuse = (error: string, field?: string, status = 422): DiscountAnswer => ({
  ok: false,
  toasts: [error],
  ...(field ? { field, error } : {}),
  status,
})

export async function actOnDiscounts(shop: Shop, actor: string, form: FormData): Promise<DiscountAnswer> {
  try {
    switch (textOf(form, 'intent')) {
      case 'color-go':
        return await putColorOnSale(shop, actor, form)
      case 'color-remove':
        return await endColorSale(shop, actor, form)
      case 'items-apply':
        return await putItemsOnSale(shop, actor, form)
      case 'items-remove':
        return await endItemsSale(shop, actor, form)
    }
    return { ok: false, status: 400 }
  } catch (error) {
    shop.log.error('a discount could not be written', error)
    return refuse(discountTexts.failed, undefined, 500)
  }
}

async function putColorOnSale(shop: Shop, actor: string, form: FormData): Promise<DiscountAnswer> {
  const color = textOf(form, 'color')
  if (color === '') return refuse(discountTexts.noColor, 'color')
  const discount = readTypedDiscount(readType(textOf(form, 'type'), 'percent'), textOf(form, 'value'))
  if (!discount) return refuse(discountTexts.notAboveZero, 'value')
  if (!(await setColorDiscount(shop, actor, color, discount))) return refuse(discountTexts.noColor, 'color', 404)
  return done(discountTexts.colorOnSale)
}

async function endColorSale(shop: Shop, actor: string, form: FormData): Promise<DiscountAnswer> {
  const color = textOf(form, 'color')
  if (color === '') return refuse(discountTexts.noColorToRemove, 'color')
  if (!(await setColorDiscount(shop, actor, color, null))) return refuse(discountTexts.noColorToRemove, 'color', 404)
  return done(discountTexts.colorRemoved)
}

const selectedIn = (form: FormData): string[] => [...new Set(form.getAll('item'))].filter((id) => typeof id === 'string')
const isConfirmed = (form: FormData): boolean => textOf(form, 'confirm') === 'Yes'

async function putItemsOnSale(shop: Shop, actor: string, form: FormData): Promise<DiscountAnswer> {
  const [type, typed, ids] = [readType(textOf(form, 'type'), 'amount'), textOf(form, 'value'), selectedIn(form)]
  const discount = readTypedDiscount(type, typed)
  if (!discount) return refuse(refusedValue(typed.trim().slice(0, 100), type), 'value')
  if (ids.length === 0) return refuse(discountTexts.noItems)
  // DISC-49: nothing is written without a Yes.
  if (!isConfirmed(form)) return refuse(applyQuestion(ids.length, discount), undefined, 409)
  await setItemsDiscount(shop, actor, ids, discount)
  return done(discountTexts.itemsOnSale)
}

async function endItemsSale(shop: Shop, actor: string, form: FormData): Promise<DiscountAnswer> {
  const ids = selectedIn(form)
  if (ids.length === 0) return refuse(discountTexts.noItems)
  if (!isConfirmed(form)) return refuse(removeQuestion(ids.length), undefined, 409)
  await setItemsDiscount(shop, actor, ids, null)
  return done(discountTexts.itemsRemoved)
}
