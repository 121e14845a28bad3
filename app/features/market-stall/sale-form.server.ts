import { TZDate } from '@date-fns/tz'
import { z } from 'zod'
import type { AppServices } from '#services/context.ts'
import { formText, oneLine, validateForm } from '#lib/http/form-data.server.ts'
import { recordOf } from '#lib/record-of.ts'
import { isId15, newId15 } from '#lib/text/ids.ts'
import { decimalAmount } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { SALE_METHODS } from '#sales/texts.ts'
import { type ActionOutcome, done, refused } from '#ui/action-result.ts'
import { dayAndTime, isDay } from '#ui/format-date.ts'
import type { AddSaleFormResult, SaleValues } from './add-sale-page.tsx'
import { MAX_BUYER_NAME, MAX_PIECE_NAME } from './direct-sale.ts'
import { addDirectSale, findPiece, listPieces } from './direct-sales.server.ts'
import { addSaleErrors as errorTexts, marketTexts } from './texts.ts'

const FIRST_DAY = '2000-01-01'

const Method = z.enum(SALE_METHODS, errorTexts.noMethod)

const PieceName = oneLine.min(1, errorTexts.noPiece).max(MAX_PIECE_NAME, errorTexts.longPiece)

const saleSchema = (today: string) =>
  z.object({
    piece: PieceName,
    price: z
      .string()
      .refine((typed) => typed.trim() === '' || parseMoney(typed) !== null, errorTexts.badPrice)
      .transform((typed) => parseMoney(typed)),
    method: Method,
    buyerName: oneLine.max(MAX_BUYER_NAME, errorTexts.longBuyer),
    day: z
      .string()
      .trim()
      .refine((day) => isDay(day) && day >= FIRST_DAY, { error: errorTexts.badDay, abort: true })
      .refine((day) => day <= today, errorTexts.futureDay),
  })

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

export async function handleSaleForm(
  app: AppServices,
  form: FormData,
): Promise<ActionOutcome<AddSaleFormResult>> {
  const id = formText(form, 'id')
  const values: SaleValues = {
    ...recordOf(['piece', 'price', 'method', 'day', 'buyerName'], (name) => formText(form, name)),
    id: isId15(id) ? id : newId15(),
  }
  const refuse = (status: number, answer: Omit<AddSaleFormResult, 'ok'>) =>
    refused<AddSaleFormResult>(status, { values, ...answer })
  const [today] = dayAndTime(app.now(), app.timeZone)
  const checked = validateForm(saleSchema(today), values)
  if (!checked.ok) return refuse(422, { errors: checked.errors })
  const { piece, day, price, method, buyerName } = checked.data
  const item = await findPiece(app.db, piece)
  const salePriceCents = price ?? item?.cents
  if (salePriceCents === undefined) return refuse(422, { errors: { price: errorTexts.noPrice } })
  const result = await addDirectSale(app, {
    id: values.id,
    itemId: item?.id ?? '',
    itemName: piece,
    salePriceCents,
    createdAt: day === today ? app.now() : noonOf(day, app.timeZone),
    method,
    buyerName,
  })
  if (result.ok) return done()
  if (result.refusal === 'failed') return refuse(500, { error: errorTexts.failed })
  return refuse(409, { error: errorTexts.used, values: { ...values, id: newId15() } })
}

function noonOf(day: string, timeZone: string) {
  const [year, month, date] = day.split('-').map(Number)
  return new TZDate(year!, month! - 1, date!, 12, timeZone).getTime()
}

const MAX_AGE_MS = 366 * 86_400_000

const queuedSchema = z.object({
  id: z.string().refine(isId15),
  itemId: z.string().max(100),
  name: PieceName,
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

/** The form contains the age of the sale, because a phone's clock may be wrong. [AGREE-75] */
export async function handleQueuedSale(app: AppServices, form: FormData): Promise<ActionOutcome> {
  const checked = queuedSchema.safeParse(Object.fromEntries(form))
  if (!checked.success) return refused(422, { error: marketTexts.refused })
  const { id, itemId, name, cents, method, age } = checked.data
  const result = await addDirectSale(app, {
    id,
    itemId,
    itemName: name,
    salePriceCents: cents,
    createdAt: app.now() - age,
    buyerName: '',
    method,
  })
  if (result.ok || result.refusal === 'undone') return done()
  return result.refusal === 'failed' ? refused(500) : refused(409, { error: marketTexts.refused })
}
