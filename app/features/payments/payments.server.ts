import { createHash } from 'node:crypto'
import { z } from 'zod'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { isRefusal, type Refusal, refuse } from '#lib/refusal.ts'
import type {
  Offer,
  OfferPayment,
  Payment,
  PaymentState,
  BankFact,
  WayToPay,
} from '#conversation/agreement.ts'
import { changeConversation, type OwnerContext } from '#conversation/conversation.server.ts'
import { customerOf } from '#conversation/people.ts'
import { type Cents, decimalAmount } from '#pricing/money.ts'
import type { PaymentSettings } from '#settings/payment-settings.ts'
import { currencyOf } from '#settings/shop-settings.ts'
import { readPaymentSettings, readSettings } from '#settings/settings.server.ts'
import type { Currency } from '#lib/text/currency.ts'
import {
  type Amounts,
  amountOf,
  depositOf,
  isUndo,
  paidCents,
  PAYMENT_METHODS,
  type PaymentAction,
  type PaymentMethod,
  paymentState,
  paymentTransitions,
  undoAction,
  type ReceiptPayments,
} from './payment.ts'
import {
  type ActionTable,
  confirmed,
  formAction,
  refusalTable,
  textField,
} from '#lib/http/form-actions.server.ts'
import { recordOf } from '#lib/record-of.ts'
import { dayAndTime, isDay } from '#ui/format-date.ts'
import { paymentRefusals, paymentResults } from './owner-texts.ts'
import { drawQr } from '#ui/qr-code.server.ts'
import { canceledSaleIds } from '#services/canceled-sales.server.ts'
import { orderItemId } from '#conversation/order-line.ts'

export async function readDefaultDeposit(db: Db, totalCents: Cents) {
  const { depositPercent } = await readPaymentSettings(db)
  return depositOf(totalCents, Number(depositPercent))
}

const isInUse = (settings: PaymentSettings) => Object.values(settings).some(Boolean)

const arePaymentsInUse = async (db: Db) => isInUse(await readPaymentSettings(db))

async function readPayments(db: Db, offerIds: readonly string[]) {
  const rows = await db
    .selectFrom('payments')
    .select(['offerId', 'kind', 'cents', 'paidOn', 'method'])
    .where('offerId', 'in', offerIds)
    .orderBy('position')
    .orderBy('createdAt')
    .orderBy('offerId')
    .execute()
  return rows.map((row) => ({
    ...row,
    isAll: !rows.some(({ offerId, kind }) => offerId === row.offerId && kind === 'deposit'),
  }))
}

export async function addPayments(
  db: Db,
  offers: Iterable<Offer>,
  totalOf: (offer: Offer) => Cents,
) {
  const agreements = [...offers].filter(({ state }) => state === 'accepted' || state === 'canceled')
  if (agreements.length === 0) return
  const ids = agreements.map(({ id }) => id)
  const rows = await readPayments(db, ids)
  const settings = await readPaymentSettings(db)
  const currency = currencyOf(await readSettings(db))
  for (const offer of agreements) {
    const payments = rows.flatMap(({ offerId, ...payment }) =>
      offerId === offer.id ? payment : [],
    )
    const isOpen = offer.state === 'accepted' && (isInUse(settings) || offer.depositCents > 0)
    if (!isOpen && payments.length === 0) continue
    const amounts = { totalCents: totalOf(offer), depositCents: offer.depositCents }
    const reference = paymentReference(offer.id)
    const owedCents = offer.state === 'accepted' ? amounts.totalCents : 0
    offer.payment = {
      state: paymentState(amounts, payments),
      payments,
      toReturnCents: Math.max(0, paidCents(payments) - owedCents),
      due: isOpen ? dueOf(amounts, payments, { settings, currency, reference }) : null,
      reference,
    }
  }
}

type PaymentFacts = { settings: PaymentSettings; currency: Currency; reference: string }

function dueOf(amounts: Amounts, payments: Payment[], facts: PaymentFacts): OfferPayment['due'] {
  const open = amountOf('pay-total', amounts, payments)
  if (open <= 0) return null
  const deposit = payments.length === 0 ? amountOf('pay-deposit', amounts, payments) : 0
  const cents = deposit || open
  const restKind = payments.length > 0 ? 'balance' : 'total'
  return {
    kind: deposit > 0 ? 'deposit' : restKind,
    cents,
    rest: open - cents,
    ways: waysToPay(facts.settings, { ...facts, cents }),
  }
}

const totalCents = sql<number>`(coalesce((
    select sum("priceCents" * "quantity") from "offerLines" where "offerId" = "o"."id"
  ), 0)
  + "o"."shippingCents"
  - "o"."creditCents"
  + "o"."soldDifferenceCents")`
const dueCents = sql<number>`(${totalCents} - coalesce((
    select sum("cents") from "payments" where "offerId" = "o"."id"
  ), 0))`

/** Returns what the cards of accepted offers ask the customer to pay. Omits paid offers. */
export async function readOpenCents(db: Db, offerIds: readonly string[]) {
  if (offerIds.length === 0) return new Map<string, Cents>()
  const isAlwaysShown = await arePaymentsInUse(db)
  const rows = await db
    .selectFrom('offers as o')
    .select(['o.id', 'o.depositCents', dueCents.as('cents')])
    .where('o.id', 'in', offerIds)
    .where('o.state', '=', 'accepted')
    .where(dueCents, '>', 0)
    .execute()
  return new Map(
    rows
      .filter(({ depositCents }) => isAlwaysShown || depositCents > 0)
      .map(({ id, cents }) => [id, Number(cents)]),
  )
}

type PaymentDetails = { position: number; paidOn: string; method: PaymentMethod }

const changePayment = (
  { app, orderId }: OwnerContext,
  action: PaymentAction,
  { offerId, ...details }: PaymentDetails & { offerId: string },
) => {
  const act = isUndo(action) ? 'take-back-payment' : 'record-payment'
  return changeConversation(app, orderId, { actor: OWNER_ID, act }, async ({ tx, now }) => {
    const offer = await readOffer(tx, orderId, offerId)
    if (!offer) return refuse('not-found')
    if (offer.state !== 'accepted' && !(offer.state === 'canceled' && isUndo(action))) {
      return refuse('not-accepted')
    }
    const payments = await readPayments(tx, [offerId])
    const change = isUndo(action) ? paymentToUndo : paymentToAdd
    const payment = change(action, offer, payments, details)
    if (payment === null) return {}
    if (isRefusal(payment)) return payment
    const { position } = details
    const { kind, cents, paidOn, method } = payment
    if (isUndo(action)) {
      await tx
        .deleteFrom('payments')
        .where('offerId', '=', offerId)
        .where('position', '=', position)
        .execute()
    } else {
      await tx
        .insertInto('payments')
        .values({ offerId, position, kind, cents, paidOn, method, createdAt: now })
        .execute()
    }
    return { audit: { detail: { offer: offerId, kind, paidCents: cents } } }
  })
}

async function readOffer(tx: Tx, orderId: string, offerId: string) {
  const row = await tx
    .selectFrom('offers as o')
    .select(['o.state', 'o.depositCents', totalCents.as('totalCents')])
    .where('o.id', '=', offerId)
    .where('o.orderId', '=', orderId)
    .executeTakeFirst()
  return row && { ...row, totalCents: Math.max(0, Number(row.totalCents)) }
}

type PaymentChange = (
  action: PaymentAction,
  offer: Amounts,
  payments: Payment[],
  details: PaymentDetails,
) => Omit<Payment, 'isAll'> | null | Refusal<PaymentState | 'outdated' | 'not-last'>

function findPayment(
  action: PaymentAction,
  payments: Payment[],
  { position, paidOn, method }: PaymentDetails,
) {
  const payment = payments[position - 1]
  const isSame =
    payment?.kind === paymentTransitions[action].kind &&
    payment.paidOn === paidOn &&
    payment.method === method
  return isSame ? payment : null
}

const paymentToAdd: PaymentChange = (action, offer, payments, details) => {
  if (findPayment(action, payments, details)) return null
  const { from, to, kind } = paymentTransitions[action]
  const state = paymentState(offer, payments)
  const { position, paidOn, method } = details
  const payment = { kind, cents: amountOf(action, offer, payments), paidOn, method }
  const isPossible =
    from.includes(state) && payment.cents > 0 && paymentState(offer, [...payments, payment]) === to
  if (!isPossible) return refuse(state)
  return position === payments.length + 1 ? payment : refuse('outdated')
}

/** Does not check the state of the payment, because a sale at another price may have changed it. */
const paymentToUndo: PaymentChange = (action, _offer, payments, details) => {
  const payment = findPayment(action, payments, details)
  if (!payment) return details.position > payments.length ? null : refuse('outdated')
  const isLast = details.position === payments.length && undoAction(payments) === action
  return isLast ? payment : refuse('not-last')
}

export async function readOpenAmounts(db: Db, most: number) {
  if (!(await arePaymentsInUse(db))) return null
  const rows = await db
    .selectFrom('offers as o')
    .innerJoin('orders', 'orders.id', 'o.orderId')
    .select(['o.id', 'o.orderId', 'orders.userName', 'orders.userEmail', dueCents.as('cents')])
    .select([
      sql<number>`count(*) over ()`.as('count'),
      sql<number>`sum(${dueCents}) over ()`.as('sum'),
    ])
    .where('o.state', '=', 'accepted')
    .where(dueCents, '>', 0)
    .orderBy('o.createdAt')
    .orderBy('o.id')
    .limit(most)
    .execute()
  const [first] = rows
  if (!first) return null
  const lines = rows.map((row) => ({
    orderId: row.orderId,
    customer: customerOf(row),
    reference: paymentReference(row.id),
    cents: Number(row.cents),
  }))
  return { count: Number(first.count), cents: Number(first.sum), lines }
}

export type OpenAmounts = NonNullable<Awaited<ReturnType<typeof readOpenAmounts>>>

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** An offer has one reference forever, such as 'KL-7F3K2'. [AGREE-44] */
export function paymentReference(offerId: string) {
  const bytes = createHash('sha256').update(offerId).digest().subarray(0, 5)
  return `KL-${[...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`
}

const PAYPAL_CURRENCIES = new Set(
  'AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  ),
)

export function waysToPay(
  settings: PaymentSettings,
  { cents, reference, currency }: Omit<PaymentFacts, 'settings'> & { cents: Cents },
) {
  const amount = decimalAmount(cents)
  const { accountHolder, iban, bic, routingNumber, accountNumber } = settings
  const isDollar = currency.code === 'USD'
  const ways: WayToPay[] = []
  if (settings.payPal) {
    const path = PAYPAL_CURRENCIES.has(currency.code) ? `/${amount}${currency.code}` : ''
    ways.push(link('payPal', `https://paypal.me/${settings.payPal}${path}`))
  }
  if (settings.venmo && isDollar) {
    const query = new URLSearchParams({ txn: 'pay', amount, note: reference })
    ways.push(link('venmo', `https://venmo.com/${settings.venmo}?${query}`))
  }
  if (settings.cashApp && isDollar) {
    ways.push(link('cashApp', `https://cash.app/$${settings.cashApp}/${amount}`))
  }
  if (iban) {
    const hasCode = currency.code === 'EUR' && accountHolder !== ''
    ways.push({
      way: 'bank',
      facts: filledFacts({ accountHolder, iban: iban.replaceAll(/(.{4})(?=.)/g, '$1 '), bic }),
      ...(hasCode && { qr: drawQr(epcText({ accountHolder, iban, bic, amount, reference })) }),
    })
  }
  if (routingNumber && accountNumber) {
    ways.push({
      way: 'usBank',
      facts: filledFacts({ accountHolder, routingNumber, accountNumber }),
    })
  }
  if (settings.cashAtHandover) ways.push({ way: 'cash' })
  if (settings.otherWay) ways.push({ way: 'other', text: settings.otherWay })
  return ways
}

const link = (way: WayToPay['way'], href: string): WayToPay => ({ way, href, qr: drawQr(href) })

const filledFacts = (facts: Partial<Record<BankFact, string>>) =>
  Object.entries(facts).filter(([, value]) => value !== '') as [BankFact, string][]

/** The text of the QR code of a SEPA credit transfer (EPC069-12, version 2). */
export const epcText = (
  transfer: Record<'accountHolder' | 'iban' | 'bic' | 'amount' | 'reference', string>,
) =>
  [
    'BCD',
    '002',
    '1',
    'SCT',
    transfer.bic,
    transfer.accountHolder,
    transfer.iban,
    `EUR${transfer.amount}`,
    '',
    '',
    transfer.reference,
  ].join('\n')

/**
 * Omits offers that are also on another receipt. The first sale of an offer without a numbered
 * invoice bills the shipping. [AGREE-48]
 */
export async function readReceiptAgreement(db: Db, saleIds: readonly string[]) {
  if (saleIds.length === 0) return null
  const soldOfferIds = db
    .selectFrom('orderItems')
    .select('offerId')
    .where('saleId', 'in', saleIds)
    .$narrowType<{ offerId: string }>()
  const offers = await db
    .selectFrom('offers')
    .select(['id', 'orderId', 'shippingCents', 'creditCents', 'changedAt'])
    .where('id', 'in', soldOfferIds)
    .where('state', '=', 'accepted')
    .orderBy('createdAt')
    .execute()
  if (offers.length === 0) return null
  const ids = offers.map(({ id }) => id)
  const lines = await db
    .selectFrom('orderItems as line')
    .leftJoin('sales', 'sales.id', 'line.saleId')
    .leftJoin('invoices', 'invoices.receiptKey', 'sales.receiptTag')
    .select(['line.offerId', 'sales.id', 'invoices.number'])
    .where('line.offerId', 'in', ids)
    .orderBy('sales.createdAt')
    .orderBy('sales.id')
    .execute()
  const sales = lines.flatMap(({ id, ...line }) => (id === null ? [] : { id, ...line }))
  let shippingCents = 0
  for (const offer of offers) {
    const firstSale = sales.find(({ offerId, number }) => offerId === offer.id && number === null)
    if (firstSale && saleIds.includes(firstSale.id) && !(await isShippingBilled(db, offer))) {
      shippingCents += offer.shippingCents
    }
  }
  const offerIds = ids.filter((id) =>
    sales.every((sale) => sale.offerId !== id || saleIds.includes(sale.id)),
  )
  const completeOffers = offers.filter(
    ({ id }) =>
      offerIds.includes(id) && !lines.some((line) => line.offerId === id && line.id === null),
  )
  const completeIds = completeOffers.map(({ id }) => id)
  if (completeIds.length === 0) return { offerIds, shippingCents, payments: null }
  const paid = await readPayments(db, completeIds)
  const isShown = paid.length > 0 || (await arePaymentsInUse(db))
  const creditCents = completeOffers.reduce((sum, offer) => sum + offer.creditCents, 0)
  const payments: ReceiptPayments = {
    creditCents,
    references: isShown ? completeIds.map(paymentReference) : [],
    paid: paid.map(({ kind, cents, paidOn, method, isAll }) => ({
      kind,
      cents,
      paidOn,
      method,
      isAll,
    })),
  }
  return { offerIds, shippingCents, payments: isShown || creditCents > 0 ? payments : null }
}

/** Maps receipt tags to the payments of their agreements. A list is empty if nothing was paid. */
export async function readPaymentsOfReceipts(db: Db, receiptTags: readonly string[]) {
  const rows = await db
    .selectFrom('orderItems as line')
    .innerJoin('sales', 'sales.id', 'line.saleId')
    .leftJoin('payments', 'payments.offerId', 'line.offerId')
    .select(['sales.receiptTag', 'line.offerId', 'payments.position'])
    .select(['payments.kind', 'payments.paidOn', 'payments.method'])
    .distinct()
    .where('sales.receiptTag', 'in', receiptTags)
    .where('line.offerId', 'is not', null)
    .orderBy('payments.paidOn')
    .orderBy('line.offerId')
    .orderBy('payments.position')
    .execute()
  const payments = new Map<string, Pick<Payment, 'kind' | 'paidOn' | 'method'>[]>()
  for (const { receiptTag, kind, paidOn, method } of rows) {
    const paid = payments.get(receiptTag!) ?? []
    if (kind !== null) paid.push({ kind, paidOn: paidOn!, method: method! })
    payments.set(receiptTag!, paid)
  }
  return payments
}

/** Counts canceled sales, because a cancellation does not take back the shipping. */
async function isShippingBilled(
  db: Db,
  { id, orderId, changedAt }: { id: string; orderId: string; changedAt: number },
) {
  const lines = await db
    .selectFrom('offerLines')
    .select(['offerId', 'itemId', 'position'])
    .where('offerId', '=', id)
    .execute()
  const ownSales = db
    .selectFrom('orderItems')
    .select('saleId')
    .where('offerId', '=', id)
    .where('saleId', 'is not', null)
  const billedInvoice = await db
    .selectFrom('invoices')
    .innerJoin('sales', 'sales.receiptTag', 'invoices.receiptKey')
    .select('invoices.number')
    .where('invoices.shippingCents', '>', 0)
    .where('sales.buyerId', '=', orderId)
    .where('sales.itemId', 'in', lines.map(orderItemId))
    .where('sales.createdAt', '>=', changedAt)
    .where(({ eb, or }) =>
      or([
        eb('sales.id', 'in', ownSales.$narrowType<{ saleId: string }>()),
        eb('sales.id', 'in', canceledSaleIds(db)),
      ]),
    )
    .executeTakeFirst()
  return billedInvoice !== undefined
}

const todayOf = ({ app }: OwnerContext) => dayAndTime(app.now(), app.timeZone)[0]

const dayField = (context: OwnerContext) =>
  textField.transform((day) => day.trim() || todayOf(context))

const paymentFields = (context: OwnerContext) =>
  z.object({
    offerId: textField,
    position: textField.transform(Number),
    paidOn: dayField(context)
      .refine(isDay, { error: paymentResults.badDay, abort: true })
      .refine((day) => day <= todayOf(context), paymentResults.futureDay),
    method: z.enum(PAYMENT_METHODS, paymentResults.badMethod),
  })
const undoFields = (context: OwnerContext) =>
  paymentFields(context).extend({
    paidOn: dayField(context),
    method: z.enum(PAYMENT_METHODS).catch('other'),
  })

const paymentAction = (action: PaymentAction) =>
  formAction({
    schema: isUndo(action) ? undoFields : paymentFields,
    invalid: (errors) => ({ errors }),
    run: (context: OwnerContext, fields) => changePayment(context, action, fields),
    success: isUndo(action) ? paymentResults.takenBack : paymentResults.marked,
    refusals: refusalTable(paymentRefusals),
  })

export const paymentActions: ActionTable<OwnerContext> = recordOf(
  Object.keys(paymentTransitions) as PaymentAction[],
  (action) =>
    isUndo(action)
      ? confirmed(paymentAction(action), { toasts: [paymentResults.notConfirmed] })
      : paymentAction(action),
)
