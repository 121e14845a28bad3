import { z } from 'zod'
import { refusalTable, refusedBy } from '#lib/http/form-actions.server.ts'
import { formText, parsedText } from '#lib/http/form-data.server.ts'
import { type ActionOutcome, done, refused } from '#ui/action-result.ts'
import { holdRefusalText } from '#holds/holds.server.ts'
import type { OfferFormResult } from './offer-form.tsx'
import { isId15, newId15 } from '#lib/text/ids.ts'
import { dayAndTime, isDay } from '#ui/format-date.ts'
import { type Cents, decimalAmount } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { endOfDay } from '#sales/period.ts'
import { MAX_MESSAGE_LENGTH, withPlainBreaks } from '#conversation/message.ts'
import type { OfferLine, Offer } from '#conversation/agreement.ts'
import { isBlank, type OfferValues, blankLine, readOfferForm } from './offer-values.ts'
import { parseCreditCode } from '#credits/credit.ts'
import { creditFormTexts } from '#credits/owner-texts.ts'
import {
  MAX_LINE_TEXT,
  MAX_OFFER_LINES,
  MAX_QUANTITY,
  MAX_VALID_DAYS,
  offerTotal,
  DEFAULT_VALID_DAYS,
} from './offer.ts'
import { offerErrors as errorTexts } from './owner-texts.ts'
import type { AppServices } from '#services/context.ts'
import { listOrderLines, type OrderLine } from '#conversation/order-lines.server.ts'
import { customerOf } from '#conversation/people.ts'
import { listCredits } from '#credits/credits.server.ts'
import { depositOf } from '#payments/payment.ts'
import { suggestReadyBy } from '#production-queue/production-queue.server.ts'
import { readPaymentSettings, readSettings } from '#settings/settings.server.ts'
import { findOpenOffer, readOffers, sendOffer } from './offers.server.ts'

const MAX_TOTAL: Cents = 999_999_999

/** Errors of a line have names such as `price-2`. [AGREE-09] */
function parseOffer(values: OfferValues, now: number, timeZone: string) {
  const errors: Record<string, string> = {}
  const lines: OfferLine[] = []
  for (const [index, typed] of values.lines.entries()) {
    if (isBlank(typed) || !typed.isIncluded) continue
    const line = LineSchema.safeParse(typed)
    if (line.success) {
      lines.push(line.data)
    } else {
      for (const { path, message } of line.error.issues) {
        errors[`${String(path[0])}-${index}`] ??= message
      }
    }
  }
  if (values.lines.length > MAX_OFFER_LINES) errors.lines = errorTexts.tooManyLines
  else if (lines.length === 0 && Object.keys(errors).length === 0) errors.lines = errorTexts.noLines
  const shippingCents = values.shipping.trim() === '' ? 0 : parseMoney(values.shipping)
  if (shippingCents === null) errors.shipping = errorTexts.badShipping
  const depositCents = values.deposit.trim() === '' ? null : parseMoney(values.deposit)
  const [today] = dayAndTime(now, timeZone)
  const [latest] = dayAndTime(now + MAX_VALID_DAYS * 86_400_000, timeZone)
  const readyBy = values.readyBy.trim()
  const readyByError = readyBy && dayError(readyBy, today)
  if (readyByError) errors.readyBy = readyByError
  const validUntilError = dayError(values.validUntil, today, latest)
  if (validUntilError) errors.validUntil = validUntilError
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
  if (values.deposit.trim() !== '' && depositCents === null) errors.deposit = errorTexts.badDeposit
  if (Object.keys(errors).length > 0 || shippingCents === null) {
    return { ok: false as const, errors }
  }
  return {
    ok: true as const,
    offer: {
      id: isId15(values.id) ? values.id : newId15(),
      lines,
      shippingCents,
      depositCents,
      readyBy,
      validUntil: endOfDay(values.validUntil, timeZone),
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
    price: parsedText((typed) => parseMoney(typed), errorTexts.badPrice),
  })
  .transform(({ price, ...line }): OfferLine => ({ ...line, cents: price }))

function dayError(day: string, today: string, latest?: string) {
  if (!isDay(day)) return errorTexts.badDay
  if (day < today) return errorTexts.pastDay
  return latest !== undefined && day > latest ? errorTexts.lateDay : null
}

const canBeOffered = ({ itemId }: OfferLine, requested: OrderLine[]) =>
  itemId === '' || requested.some(({ id }) => id === itemId)

function firstLines(requested: OrderLine[], open: Offer | undefined) {
  const offered = (open?.lines ?? [])
    .filter((line) => canBeOffered(line, requested))
    .map(({ cents, quantity, ...line }) => ({
      ...line,
      price: decimalAmount(cents),
      quantity: String(quantity),
      isIncluded: true,
    }))
  const others = requested
    .filter(({ id }) => !offered.some(({ itemId }) => itemId === id))
    .map(({ id, name, color, quantity, shownCents, priceCents }) => ({
      itemId: id,
      name,
      color,
      price: decimalAmount(shownCents ?? priceCents),
      quantity: String(quantity),
      notes: '',
      isIncluded: !open,
    }))
  const lines = [...offered, ...others]
  return lines.length === 0 ? [blankLine] : lines
}

/** Returns '' for the default deposit. */
const depositText = (open: Offer, percent: number) =>
  open.depositCents === depositOf(offerTotal(open), percent) ? '' : decimalAmount(open.depositCents)

const countToMake = (requested: OrderLine[]) =>
  requested.reduce((sum, { kind, quantity }) => sum + (kind === 'unique' ? 0 : quantity), 0)

/** Returns null for contact messages and deleted accounts. */
export async function readOfferFormDefaults(app: AppServices, orderId: string) {
  const { db, now, timeZone } = app
  const order = await db
    .selectFrom('orders')
    .select(['userId', 'userName', 'userEmail', 'fromContactPage'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!order || order.fromContactPage || order.userId === null) return null
  const requested = (await listOrderLines(db, orderId)).filter(
    ({ isSold, agreedCents }) => !isSold && agreedCents === null,
  )
  const openOffer = await findOpenOffer(db, orderId)
  const open = openOffer && (await readOffers(db, [openOffer.id])).get(openOffer.id)
  const [validUntil] = dayAndTime(now() + DEFAULT_VALID_DAYS * 86_400_000, timeZone)
  const [today] = dayAndTime(now(), timeZone)
  const suggested = await suggestReadyBy(app, requested.length === 0 ? 1 : countToMake(requested))
  const { defaultShipping } = await readSettings(db)
  const depositPercent = Number((await readPaymentSettings(db)).depositPercent)
  const credits = (await listCredits(db, orderId)).filter(({ state }) => state === 'open')
  const code = open?.creditCode ?? ''
  const values: OfferValues = {
    id: newId15(),
    lines: firstLines(requested, open),
    shipping: defaultShipping,
    deposit: '',
    readyBy: suggested,
    validUntil,
    isShipped: defaultShipping !== '',
    message: '',
    ...(open && {
      shipping: decimalAmount(open.shippingCents),
      deposit: depositText(open, depositPercent),
      readyBy: open.readyBy < today ? suggested : open.readyBy,
      isShipped: open.isShipped,
    }),
    ...(code === credits[0]?.code
      ? { credit: code, creditCode: '' }
      : { credit: '', creditCode: code }),
  }
  const leftOut = (open?.lines ?? [])
    .filter((line) => !canBeOffered(line, requested))
    .map(({ name }) => name)
  return {
    customer: customerOf(order),
    orderId,
    credits,
    values,
    leftOut,
    depositPercent,
  }
}

export type OfferFormDefaults = NonNullable<Awaited<ReturnType<typeof readOfferFormDefaults>>>

const sendRefusals = {
  ...refusalTable(errorTexts, (lines) => ({ errors: { lines } })),
  unknown: { status: 422, errors: { creditCode: creditFormTexts.unknown } },
  used: { status: 422, errors: { creditCode: creditFormTexts.used } },
  'high-deposit': { status: 422, errors: { deposit: errorTexts.highDeposit } },
}

export async function handleOfferForm(
  app: AppServices,
  orderId: string,
  form: FormData,
): Promise<ActionOutcome<OfferFormResult>> {
  const values = readOfferForm(form)
  if (form.has('add')) return changedForm({ ...values, lines: [...values.lines, blankLine] })
  if (form.has('remove')) {
    const removed = Number(formText(form, 'remove'))
    const lines = values.lines.filter((_, index) => index !== removed)
    return changedForm({ ...values, lines })
  }
  const parsed = parseOffer(values, app.now(), app.timeZone)
  if (!parsed.ok) return refused<OfferFormResult>(422, { errors: parsed.errors, values })
  const result = await sendOffer(app, orderId, parsed.offer)
  if (result.ok) return done()
  const { answer, status } = refusedBy(
    {
      ...sendRefusals,
      'only-one': ({ itemIds }) => ({ status: 422, errors: onlyOneErrors(values, itemIds) }),
      'not-held': ({ hold }) => ({
        status: 409,
        errors: { lines: holdRefusalText(app, hold) },
      }),
    },
    result,
  )
  return { answer: { ...answer, values }, status }
}

const changedForm = (values: OfferValues) => ({ answer: { ok: true, values }, status: 200 })

const onlyOneErrors = ({ lines }: OfferValues, itemIds: readonly string[]) =>
  Object.fromEntries(
    lines.flatMap(({ isIncluded, itemId }, index) =>
      isIncluded && itemIds.includes(itemId) ? [[`quantity-${index}`, errorTexts.onlyOne]] : [],
    ),
  )
