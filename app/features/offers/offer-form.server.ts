/** Parses the owner's form for an offer. */
import { z } from 'zod'
import { isId15, newId15 } from '#app/lib/text/ids.ts'
import { dayAndTime, isDay } from '#app/ui/format-date.ts'
import { type Cents, parseMoney } from '#app/features/pricing/money.ts'
import { endOfDay } from '#app/features/sales/period.ts'
import { MAX_MESSAGE_LENGTH, type OfferLine, withPlainBreaks } from '#app/features/orders/order.ts'
import type { NewOffer } from './offers.server.ts'
import { isBlank, type OfferValues } from './offer-values.ts'
import { parseCreditCode } from '#app/features/credits/credit.ts'
import { creditFormTexts } from '#app/features/credits/owner-texts.ts'
import {
  MAX_LINE_TEXT,
  MAX_OFFER_LINES,
  MAX_QUANTITY,
  MAX_VALID_DAYS,
  offerTotal,
} from './offer.ts'
import { offerErrors as errorTexts } from './owner-texts.ts'

const MAX_TOTAL: Cents = 999_999_999

type ParsedOffer = { ok: true; offer: NewOffer } | { ok: false; errors: Record<string, string> }

/** Returns the offer, or the first error of each field. The errors of a line have names such as `price-2`. A typed line without any text is left out. [AGREE-09] */
export function parseOffer(values: OfferValues, now: number, timeZone: string): ParsedOffer {
  const errors: Record<string, string> = {}
  const lines: OfferLine[] = []
  for (const [at, typed] of values.lines.entries()) {
    if (isBlank(typed) || !typed.isIncluded) continue
    const line = LineSchema.safeParse(typed)
    if (line.success) lines.push(line.data)
    else
      for (const { path, message } of line.error.issues)
        errors[`${String(path[0])}-${at}`] ??= message
  }
  if (values.lines.length > MAX_OFFER_LINES) errors.lines = errorTexts.tooManyLines
  else if (lines.length === 0 && Object.keys(errors).length === 0) errors.lines = errorTexts.noLines
  const shippingCents = values.shipping.trim() === '' ? 0 : parseMoney(values.shipping)
  if (shippingCents === null) errors.shipping = errorTexts.badShipping
  const [today] = dayAndTime(now, timeZone)
  const [latest] = dayAndTime(now + MAX_VALID_DAYS * 86_400_000, timeZone)
  const readyBy = values.readyBy.trim()
  if (readyBy !== '') addError(errors, 'readyBy', dayError(readyBy, today, null))
  addError(errors, 'validUntil', dayError(values.validUntil, today, latest))
  const message = withPlainBreaks(values.message)
  if (message.length > MAX_MESSAGE_LENGTH) errors.message = errorTexts.longMessage
  const [typed, ticked] = [values.creditCode, values.credit].map((code) =>
    code.trim() === '' ? null : (parseCreditCode(code) ?? ''),
  )
  if (typed === '' || ticked === '') errors.creditCode = creditFormTexts.badCode
  else if (typed && ticked && typed !== ticked) errors.creditCode = creditFormTexts.twoCodes
  const creditCode = typed ?? ticked ?? null
  const total = offerTotal({ lines, shippingCents: shippingCents ?? 0, creditCents: 0 })
  if (total > MAX_TOTAL) errors.lines ??= errorTexts.tooMuch
  if (Object.keys(errors).length > 0 || shippingCents === null) return { ok: false, errors }
  const id = isId15(values.id) ? values.id : newId15()
  const validUntil = endOfDay(values.validUntil, timeZone)
  return {
    ok: true,
    offer: {
      id,
      lines,
      shippingCents,
      readyBy,
      validUntil,
      isShipped: values.isShipped,
      creditCode,
      message,
    },
  }
}

const text = z.string().trim().max(MAX_LINE_TEXT, errorTexts.tooLong)
const LineSchema = z
  .object({
    itemId: z.string(),
    name: text.min(1, errorTexts.noName),
    color: text,
    notes: text,
    quantity: z
      .string()
      .trim()
      .regex(/^\d{1,3}$/, errorTexts.badQuantity)
      .transform(Number)
      .refine((quantity) => quantity > 0 && quantity <= MAX_QUANTITY, errorTexts.badQuantity),
    price: z.string().transform((typed, context) => {
      const cents = parseMoney(typed)
      if (cents === null) context.addIssue({ code: 'custom', message: errorTexts.badPrice })
      return cents ?? 0
    }),
  })
  .transform(({ price, ...line }): OfferLine => ({ ...line, cents: price }))

function addError(errors: Record<string, string>, field: string, error: string | null): void {
  if (error !== null) errors[field] = error
}

function dayError(day: string, today: string, latest: string | null): string | null {
  if (!isDay(day)) return errorTexts.badDay
  if (day < today) return errorTexts.pastDay
  return latest !== null && day > latest ? errorTexts.lateDay : null
}
