import type { Selectable } from 'kysely'
import type { Db, Tables, Tx } from '#db/schema.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { listColors } from '#catalog/catalog.server.ts'
import { hasName } from '#services/guest-name.ts'
import type { ChangeServices } from '#services/change.server.ts'
import { refuse } from '#lib/refusal.ts'
import { colorName, isForSale, type Item, mayVisit } from '#catalog/catalog.ts'
import { joinColors, splitColors } from '#catalog/joined-colors.ts'
import {
  changeConversation,
  getOrCreateLockedOrder,
  type Order,
  updateCustomer,
  updateOrder,
  appendMessage,
  resolveMessageId,
  newReceiptTag,
  type CustomerContext,
} from '#conversation/conversation.server.ts'
import { MAX_MESSAGE_LENGTH, withPlainBreaks } from '#conversation/message.ts'
import { findUnsoldLine, readLastPosition, updateLine } from '#conversation/order-lines.server.ts'
import { recordRequest } from '#conversation/requests.server.ts'
import { discountedPrice, readDiscount } from '#pricing/money.ts'
import { z } from 'zod'
import { parseName } from '#lib/auth/person-name.ts'
import { formAction, textField } from '#lib/http/form-actions.server.ts'
import { messageTexts } from '#conversation/texts.ts'
import { notForSaleTexts } from './not-for-sale-texts.ts'
import { requestTexts } from './texts.ts'

type OrderRequest = {
  itemId: string
  colorId?: string
  isOneOfEach?: boolean
  message: string
  messageId: string
  name?: string
}

/** A request that is sent twice is stored once. [S-067] */
export async function requestOrder(
  app: ChangeServices,
  user: User,
  {
    itemId,
    colorId = '',
    isOneOfEach = false,
    messageId,
    name: typedName = '',
    ...typed
  }: OrderRequest,
) {
  const message = withPlainBreaks(typed.message)
  if (user.role === 'owner') return refuse('owner')
  if (message.length > MAX_MESSAGE_LENGTH) return refuse('too-long')
  const lock = (tx: Tx, now: number) => getOrCreateLockedOrder(tx, user, now)
  const frame = { actor: user.id, failure: 'an order request failed' }
  return changeConversation(app, lock, frame, async ({ tx, order, now }) => {
    const item = await tx
      .selectFrom('items')
      .select(['id', 'name', 'priceCents', 'categoryId', 'discountType', 'discountValue', 'state'])
      .select('kind')
      .where('id', '=', itemId)
      .executeTakeFirst()
    if (!item || !mayVisit(item.state)) return refuse('no-item')
    if (!isForSale(item.state)) return refuse('not-for-sale')
    const color = await readColorName(tx, item, colorId)
    if (color === null) return refuse('no-color')
    const id = await resolveMessageId(tx, user.id, user.id, { message, messageId, color })
    if (id === null) return {}

    const name = hasName(user) ? user.name : typedName || user.name
    if (name !== user.name) {
      await tx.updateTable('user').set({ name }).where('id', '=', user.id).execute()
    }
    await updateCustomer(tx, { ...user, name })
    await openForRequest(tx, order)
    const shownPriceCents = discountedPrice(item.priceCents, readDiscount(item))
    const isNew = await addItem(tx, {
      orderId: user.id,
      itemId: item.id,
      name: item.name,
      priceCents: item.priceCents,
      shownPriceCents,
      color,
      isOneOfEach: isOneOfEach && item.kind !== 'unique',
    })
    if (isNew) await recordRequest(tx, user.id, item, now)
    const row = {
      id,
      message,
      sender: user.id,
      itemId: item.id,
      itemName: item.name,
      itemColor: color,
      itemPriceCents: shownPriceCents,
    }
    await appendMessage(tx, user.id, row, now)
    return { topics: typedName ? [`user:${user.id}` as const] : [] }
  })
}

/** Items of an agreement stay, because its invoice needs them. */
async function openForRequest(tx: Tx, { id, isClosed, receiptTag }: Order) {
  if (isClosed) {
    await tx
      .deleteFrom('orderItems')
      .where('orderId', '=', id)
      .where('isSold', '=', true)
      .where('offerId', 'is', null)
      .execute()
  }
  const tag = receiptTag ?? (await newReceiptTag(tx))
  await updateOrder(tx, id, { isClosed: false, receiptTag: tag })
}

type RequestedItem = Pick<
  Selectable<Tables['orderItems']>,
  'orderId' | 'itemId' | 'name' | 'priceCents' | 'shownPriceCents' | 'color'
> & { isOneOfEach: boolean }

async function addItem(tx: Tx, { isOneOfEach, ...item }: RequestedItem) {
  const { orderId, itemId, shownPriceCents, color } = item
  const line = await findUnsoldLine(tx, orderId, itemId)
  if (!line) {
    const position = (await readLastPosition(tx, orderId)) + 1
    await tx
      .insertInto('orderItems')
      .values({ ...item, isSold: false, position })
      .execute()
    return true
  }
  const isChangeable = line.agreedCents === null && color !== ''
  const changes = isChangeable ? changedColor(line, color, isOneOfEach) : {}
  await updateLine(tx, line, { shownPriceCents, ...changes })
  return false
}

/** If a line for one piece of each of several colors changes to one color, its quantity is 1. */
function changedColor(
  line: Pick<Selectable<Tables['orderItems']>, 'color' | 'quantity'>,
  color: string,
  isOneOfEach: boolean,
) {
  const colors = splitColors(line.color)
  if (!isOneOfEach || line.color === '') {
    return { color, ...(colors.length > 1 && { quantity: 1 }) }
  }
  if (colors.includes(color)) return {}
  return { color: joinColors(line.color, color), quantity: line.quantity + 1 }
}

/** A piece made to order comes in all available colors, those of its images first. */
export async function readOrderColors(
  app: Pick<AppServices, 'db' | 'live'>,
  { kind, colors }: Pick<Item, 'kind' | 'colors'>,
) {
  const more =
    kind === 'made-to-order'
      ? await cached(app, ['catalog'], 'colors', () => listColors(app.db))
      : []
  const ids = new Set(colors.map(({ id }) => id))
  return [...colors, ...more.filter(({ id, isAvailable }) => isAvailable && !ids.has(id))].map(
    ({ id, name }) => ({ id, name }),
  )
}

async function readColorName(
  tx: Tx,
  { id: itemId, kind }: Pick<Item, 'id' | 'kind'>,
  colorId: string,
) {
  if (colorId === '') return ''
  if (kind === 'made-to-order') {
    const available = await tx
      .selectFrom('colors')
      .select('name')
      .where('id', '=', colorId)
      .where('isAvailable', '=', true)
      .executeTakeFirst()
    if (available) return colorName(available)
  }
  const color = await tx
    .selectFrom('itemImages as image')
    .innerJoin('itemImageColors as c', 'c.itemImageId', 'image.id')
    .innerJoin('colors', 'colors.id', 'c.colorId')
    .select('colors.name')
    .where('image.itemId', '=', itemId)
    .where('colors.id', '=', colorId)
    .executeTakeFirst()
  return color ? colorName(color) : null
}

export type RequestState = 'new' | 'closed' | 'asked'

/** `color` is the one that a request in another color would change. [S-490] */
export async function readRequestState(db: Db, userId: string, itemId: string) {
  const order = await db
    .selectFrom('orders')
    .leftJoin('orderItems', (join) =>
      join
        .onRef('orderItems.orderId', '=', 'orders.id')
        .on('orderItems.itemId', '=', itemId)
        .on('orderItems.isSold', '=', false),
    )
    .where('orders.id', '=', userId)
    .select(['orders.isClosed', 'orderItems.itemId', 'orderItems.color', 'orderItems.agreedCents'])
    .executeTakeFirst()
  if (!order) return newRequest
  const { isClosed, agreedCents } = order
  const color = agreedCents === null ? (order.color ?? '') : ''
  if (isClosed) return { state: 'closed' as const, color }
  return order.itemId === null ? newRequest : { state: 'asked' as const, color }
}

export const newRequest: { state: RequestState; color: string } = { state: 'new', color: '' }

/** Every refusal of a request shows this toast. */
const toasts = [requestTexts.failed]

export const handleRequestForm = formAction({
  schema: z.object({
    itemId: textField,
    color: textField,
    colors: textField,
    message: textField,
    messageId: textField,
    name: textField.transform((typed, context) => {
      const name = parseName(typed)
      if (name === null) context.addIssue({ code: 'custom', message: requestTexts.longName })
      return name ?? ''
    }),
  }),
  invalid: ({ name: error = '' }) => ({ toasts, field: 'name', error }),
  run: ({ app, user }: CustomerContext, { color, colors, ...request }) =>
    requestOrder(app, user, { ...request, colorId: color, isOneOfEach: colors === 'both' }),
  success: requestTexts.sent,
  refusals: {
    'no-item': { status: 404, toasts, field: 'message', error: requestTexts.noItem },
    'not-for-sale': { status: 409, toasts, field: 'message', error: notForSaleTexts.refused },
    'no-color': { status: 422, toasts, field: 'color', error: requestTexts.noColor },
    'too-long': { status: 422, toasts, field: 'message', error: messageTexts.tooLong },
    owner: { status: 403, toasts },
    'not-found': { status: 404, toasts },
    failed: { status: 500, toasts },
  },
})
