/** Parses the form "Add a sale", and the sales that the market-stall page sends. */
import { TZDate } from '@date-fns/tz'
import { z } from 'zod'
import type { AppServices } from '#app/services/context.ts'
import { formText, validateForm } from '#app/lib/http/form-data.server.ts'
import { isId15, newId15 } from '#app/lib/text/ids.ts'
import { decimalAmount, parseMoney } from '#app/features/pricing/money.ts'
import { SALE_METHODS } from '#app/features/sales/payment-method.ts'
import { type ActionOutcome, done, refused } from '#app/ui/action-result.ts'
import { dayAndTime, isDay } from '#app/ui/format-date.ts'
import type { AddSaleFormResult, SaleValues } from './add-sale-page.tsx'
import { MAX_BUYER_NAME, MAX_PIECE_NAME } from './direct-sale.ts'
import { addDirectSale, findPiece, listPieces } from './direct-sales.server.ts'
import { addSaleErrors as errorTexts, marketTexts } from './texts.ts'

/** An earlier day is refused, because it must be a typo. */
const FIRST_DAY = '2000-01-01'

const oneLine = z.string().transform((typed) => typed.replaceAll(/\s+/g, ' ').trim())
const Method = z.enum(SALE_METHODS, errorTexts.noMethod)

const saleFields = {
  piece: oneLine.pipe(
    z.string().min(1, errorTexts.noPiece).max(MAX_PIECE_NAME, errorTexts.longPiece),
  ),
  price: z.string().transform((typed, context) => {
    const cents = typed.trim() === '' ? null : parseMoney(typed)
    if (cents === null && typed.trim() !== '')
      context.addIssue({ code: 'custom', message: errorTexts.badPrice })
    return cents
  }),
  method: Method,
  buyerName: oneLine.pipe(z.string().max(MAX_BUYER_NAME, errorTexts.longBuyer)),
}
const saleSchema = (today: string) =>
  z.object({
    ...saleFields,
    day: z
      .string()
      .trim()
      .refine((day) => isDay(day) && day >= FIRST_DAY, { error: errorTexts.badDay, abort: true })
      .refine((day) => day <= today, errorTexts.futureDay),
  })

/** Returns the values that the form "Add a sale" shows at first. */
export async function readSaleForm(app: AppServices) {
  const [today] = dayAndTime(app.now(), app.timeZone)
  const values: SaleValues = {
    id: newId15(),
    piece: '',
    price: '',
    method: 'cash',
    day: today,
    buyerName: '',
  }
  const pieces = (await listPieces(app.db)).map(({ name, cents }) => ({
    name,
    price: decimalAmount(cents),
  }))
  return { pieces, today, values }
}

/** Adds the sale of the form "Add a sale". If the sale is refused, the form keeps the texts that the owner typed. [AGREE-70 to AGREE-73] */
export async function handleSaleForm(
  app: AppServices,
  form: FormData,
): Promise<ActionOutcome<AddSaleFormResult>> {
  const text = (name: string) => formText(form, name)
  const id = isId15(text('id')) ? text('id') : newId15()
  const values: SaleValues = {
    ...{ id, piece: text('piece'), price: text('price'), method: text('method') },
    ...{ day: text('day'), buyerName: text('buyerName') },
  }
  const [today] = dayAndTime(app.now(), app.timeZone)
  const checked = validateForm(saleSchema(today), values)
  if (!checked.ok) return refused<AddSaleFormResult>(422, { errors: checked.errors, values })
  const { piece, day, price, ...typed } = checked.data
  const item = await findPiece(app.db, piece)
  const salePriceCents = price ?? item?.cents
  if (salePriceCents === undefined)
    return refused<AddSaleFormResult>(422, { errors: { price: errorTexts.noPrice }, values })
  const createdAt = day === today ? app.now() : noonOf(day, app.timeZone)
  const result = await addDirectSale(app, {
    id,
    itemId: item?.id ?? '',
    itemName: piece,
    salePriceCents,
    createdAt,
    ...typed,
  })
  if (result === 'added' || result === 'known') return done()
  if (result === 'failed')
    return refused<AddSaleFormResult>(500, { error: errorTexts.failed, values })
  return refused<AddSaleFormResult>(409, {
    error: errorTexts.used,
    values: { ...values, id: newId15() },
  })
}

function noonOf(day: string, timeZone: string): number {
  const [year, month, date] = day.split('-').map(Number)
  return new TZDate(year!, month! - 1, date!, 12, timeZone).getTime()
}

/** The largest age of a sale in milliseconds. An older sale is stored with this age. */
const MAX_AGE_MS = 366 * 86_400_000

const queuedSchema = z.object({
  id: z.string().refine(isId15),
  itemId: z.string().max(100),
  name: saleFields.piece,
  cents: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  method: Method,
  age: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform((typed) => Math.min(Number(typed), MAX_AGE_MS)),
})

/** Adds a sale that the market-stall page sends. The form contains the `age` of the sale in milliseconds instead of its time, because the clock of a phone may be wrong. [AGREE-75] */
export async function handleQueuedSale(app: AppServices, form: FormData): Promise<ActionOutcome> {
  const checked = queuedSchema.safeParse(Object.fromEntries(form))
  if (!checked.success) return refused(422, { error: marketTexts.refused })
  const { id, itemId, name, cents, method, age } = checked.data
  const sale = {
    id,
    itemId,
    itemName: name,
    salePriceCents: cents,
    createdAt: app.now() - age,
    buyerName: '',
    method,
  }
  const result = await addDirectSale(app, sale)
  if (result === 'failed') return refused(500)
  return result === 'used' ? refused(409, { error: marketTexts.refused }) : done()
}
