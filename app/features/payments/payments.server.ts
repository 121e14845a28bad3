/** Reads, records and undoes the payments of accepted offers. The server computes each amount from the offer. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import type { OfferTable } from '#db/schema-agreements.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { lockOrder } from '#app/features/orders/orders.server.ts'
import { customerName, type Offer } from '#app/features/orders/order.ts'
import type { OfferPayment, Payment } from '#app/features/orders/offer-payment.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import type { PaymentSettings } from '#app/features/settings/payment-settings.ts'
import { currencyOf } from '#app/features/settings/shop-settings.ts'
import { readPaymentSettings, readSettings } from '#app/features/settings/settings.server.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import {
  amountOf,
  depositOf,
  isUndo,
  type OpenAmounts,
  paidCents,
  type PaymentAction,
  type PaymentMethod,
  paymentState,
  paymentTransitions,
  undoAction,
} from './payment.ts'
import type { PaymentRefusal } from './texts.ts'
import { paymentReference, waysToPay } from './ways-to-pay.server.ts'

/** Returns the deposit of a new offer in cents, from the percentage in the settings. [AGREE-42] */
export async function readDeposit(db: Db | Tx, totalCents: Cents): Promise<Cents> {
  const { depositPercent } = await readPaymentSettings(db)
  return depositOf(totalCents, Number(depositPercent))
}

/** Returns false if the owner has left all fields of "Ways to be paid" blank, because the shop then shows no payments. */
const isInUse = (settings: PaymentSettings): boolean =>
  Object.values(settings).some((value) => value !== '')

export const arePaymentsInUse = async (db: Db | Tx): Promise<boolean> =>
  isInUse(await readPaymentSettings(db))

export async function readPayments(
  db: Db | Tx,
  offerIds: readonly string[],
): Promise<(Payment & { offerId: string })[]> {
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

/** Adds its payments to each accepted offer, and to each canceled offer for which something was paid. [AGREE-43, AGREE-44] */
export async function addPayments(
  db: Db | Tx,
  offers: Iterable<Offer>,
  totalOf: (offer: Offer) => Cents,
): Promise<void> {
  const agreed = [...offers].filter(({ state }) => state === 'accepted' || state === 'canceled')
  if (agreed.length === 0) return
  const rows = await readPayments(
    db,
    agreed.map(({ id }) => id),
  )
  const settings = await readPaymentSettings(db)
  const currency = currencyOf(await readSettings(db))
  for (const offer of agreed) {
    const payments = rows.flatMap(({ offerId, ...payment }) =>
      offerId === offer.id ? payment : [],
    )
    const isOpen = offer.state === 'accepted' && (isInUse(settings) || offer.depositCents > 0)
    if (!isOpen && payments.length === 0) continue
    const amounts = { totalCents: totalOf(offer), depositCents: offer.depositCents }
    const reference = paymentReference(offer.id)
    offer.payment = {
      state: paymentState(amounts, payments),
      payments,
      toReturnCents: Math.max(
        0,
        paidCents(payments) - (offer.state === 'accepted' ? amounts.totalCents : 0),
      ),
      due: isOpen ? dueOf(amounts, payments, { settings, currency, reference }) : null,
      reference,
    }
  }
}

type Facts = { settings: PaymentSettings; currency: Currency; reference: string }

function dueOf(
  amounts: { totalCents: Cents; depositCents: Cents },
  payments: Payment[],
  facts: Facts,
): OfferPayment['due'] {
  const open = amountOf('pay-total', amounts, payments)
  if (open <= 0) return null
  const deposit = payments.length === 0 ? amountOf('pay-deposit', amounts, payments) : 0
  const cents = deposit || open
  const kind = deposit > 0 ? 'deposit' : payments.length > 0 ? 'balance' : 'total'
  return { kind, cents, rest: open - cents, ways: waysToPay(facts.settings, { ...facts, cents }) }
}

/** In these SQL expressions, `o` is the offer. */
const totalCents = sql<number>`(coalesce((select sum("priceCents" * "quantity") from "offerLines" where "offerId" = "o"."id"), 0) + "o"."shippingCents" - "o"."creditCents" + "o"."soldDifferenceCents")`
const dueCents = sql<number>`(${totalCents} - coalesce((select sum("cents") from "payments" where "offerId" = "o"."id"), 0))`

type Deps = Pick<AppServices, 'db' | 'live' | 'now' | 'log'>
/** `position` is the number of the payment in its offer. The form contains it, so that the server recognizes a form that is sent twice. */
type PaymentDetails = { position: number; paidOn: string; method: PaymentMethod }
type PaymentResult = { ok: true } | { ok: false; refusal: PaymentRefusal }

/** Records a payment, or undoes the last payment if it has these `details`. A form that is sent twice changes nothing the second time. [AGREE-45] */
export async function changePayment(
  app: Deps,
  { orderId, offerId }: { orderId: string; offerId: string },
  action: PaymentAction,
  details: PaymentDetails,
): Promise<PaymentResult> {
  const done = await tryWrite(app.log, 'a payment could not be recorded', () =>
    inTransaction(app.db, async (tx): Promise<PaymentResult> => {
      const order = await lockOrder(tx, orderId)
      const offer = await readOffer(tx, orderId, offerId)
      if (!order || !offer) return { ok: false, refusal: 'not-found' }
      if (offer.state !== 'accepted' && !(offer.state === 'canceled' && isUndo(action)))
        return { ok: false, refusal: 'not-accepted' }
      const payments = await readPayments(tx, [offerId])
      const change = isUndo(action)
        ? takenBack(action, payments, details)
        : added(action, offer, payments, details)
      if (!change.ok || change.payment === null) return change.ok ? { ok: true } : change
      const now = app.now()
      const { position } = details
      const { kind, cents, paidOn, method } = change.payment
      if (isUndo(action))
        await tx
          .deleteFrom('payments')
          .where('offerId', '=', offerId)
          .where('position', '=', position)
          .execute()
      else
        await tx
          .insertInto('payments')
          .values({ offerId, position, kind, cents, paidOn, method, createdAt: now })
          .execute()
      const name = customerName({ name: order.userName, email: order.userEmail })
      const act = isUndo(action) ? 'take-back-payment' : 'record-payment'
      await recordAuditEvent(tx, {
        at: now,
        actor: ADMIN_ID,
        act,
        subject: orderId,
        name,
        detail: { offer: offerId, kind, paidCents: cents },
      })
      return { ok: true }
    }),
  )
  if (done.ok) app.live.changed('orders', `order:${orderId}`)
  return done
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

type OfferRow = Pick<OfferTable, 'depositCents'> & { totalCents: Cents }
/** `payment` is null if the payment was already recorded or undone. */
type Change = { ok: true; payment: NewPayment | null } | { ok: false; refusal: PaymentRefusal }
type NewPayment = Omit<Payment, 'isAll'>

function findPayment(
  payments: Payment[],
  action: PaymentAction,
  { position, paidOn, method }: PaymentDetails,
): Payment | null {
  const payment = payments[position - 1]
  const isSame =
    payment?.kind === paymentTransitions[action].kind &&
    payment.paidOn === paidOn &&
    payment.method === method
  return isSame ? payment : null
}

function added(
  action: PaymentAction,
  offer: OfferRow,
  payments: Payment[],
  details: PaymentDetails,
): Change {
  const { from, to, kind } = paymentTransitions[action]
  const state = paymentState(offer, payments)
  if (findPayment(payments, action, details)) return { ok: true, payment: null }
  const { position, paidOn, method } = details
  const payment = { kind, cents: amountOf(action, offer, payments), paidOn, method }
  const isPossible =
    from.includes(state) && payment.cents > 0 && paymentState(offer, [...payments, payment]) === to
  if (isPossible && position !== payments.length + 1) return { ok: false, refusal: 'outdated' }
  return isPossible ? { ok: true, payment } : { ok: false, refusal: state }
}

/** Ignores the state of the payment, because a sale at another price may have changed the total. */
function takenBack(action: PaymentAction, payments: Payment[], details: PaymentDetails): Change {
  const payment = findPayment(payments, action, details)
  if (!payment)
    return details.position > payments.length
      ? { ok: true, payment }
      : { ok: false, refusal: 'outdated' }
  const isLast = details.position === payments.length && undoAction(payments) === action
  return isLast ? { ok: true, payment } : { ok: false, refusal: 'not-last' }
}

/** Returns the number and sum of the accepted offers that are not fully paid, and the oldest of them. Returns null if all are paid. [AGREE-47] */
export async function readOpenAmounts(db: Db, most: number): Promise<OpenAmounts | null> {
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
  const lines = rows.map(({ id, orderId, userName, userEmail, cents }) => ({
    orderId,
    customer: customerName({ name: userName, email: userEmail }),
    reference: paymentReference(id),
    cents: Number(cents),
  }))
  return { count: Number(first.count), cents: Number(first.sum), lines }
}
