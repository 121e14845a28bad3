import { z } from 'zod'
import {
  type ActionTable,
  confirmed,
  formAction,
  refusalTable,
  textField,
} from '#lib/http/form-actions.server.ts'
import type { AppServices } from '#services/context.ts'
import type { OwnerContext } from '#conversation/conversation.server.ts'
import { formatMoney } from '#pricing/money.ts'
import {
  completeSale,
  closeOrder,
  removeOrderItem,
  reopenOrder,
  cancelSale,
  undoSale,
} from './orders.server.ts'
import {
  orderActionTexts as texts,
  orderReasonTexts,
  saleErrorTexts,
  undoSaleTexts,
} from './owner-texts.ts'

const noFields = z.object({})
const itemFields = z.object({ itemId: textField })
const saleFields = z.object({ saleId: textField })
const completeFields = itemFields.extend({ price: textField, otherPrice: z.string().optional() })
const undoRefusals = refusalTable(undoSaleTexts.refused, (toast) => ({ toasts: [toast] }))

export const undoSaleActions: ActionTable<{ app: AppServices }> = {
  'undo-sale': formAction({
    schema: saleFields,
    run: ({ app }, { saleId }) => undoSale(app, saleId),
    success: ({ value }) => undoSaleTexts.undone(value),
    refusals: undoRefusals,
  }),
  'cancel-sale': confirmed(
    formAction({
      schema: saleFields,
      run: ({ app }, { saleId }) => cancelSale(app, saleId),
      success: ({ value }) => undoSaleTexts.canceled(value),
      refusals: undoRefusals,
    }),
    { status: 409, toasts: [undoSaleTexts.notConfirmed] },
  ),
}

export const orderActions: ActionTable<OwnerContext> = {
  ...undoSaleActions,
  close: confirmed(
    formAction({
      schema: noFields,
      run: ({ app, orderId }) => closeOrder(app, orderId),
      success: texts.closed,
      refusals: refusalTable(orderReasonTexts, (reason) => ({ toasts: [texts.notClosed(reason)] })),
    }),
  ),
  reopen: formAction({
    schema: noFields,
    run: ({ app, orderId }) => reopenOrder(app, orderId),
    success: texts.reopened,
    refusals: refusalTable(orderReasonTexts, (reason) => ({ toasts: [texts.notReopened(reason)] })),
  }),
  remove: confirmed(
    formAction({
      schema: itemFields,
      run: ({ app, orderId }, { itemId }) => removeOrderItem(app, orderId, itemId),
      refusals: refusalTable(orderReasonTexts, (reason) => ({ error: texts.notRemoved(reason) })),
    }),
  ),
  complete: formAction({
    schema: completeFields,
    run: ({ app, orderId }, { itemId, price, otherPrice }) =>
      completeSale(app, orderId, { itemId, price, isOtherPrice: otherPrice !== undefined }),
    success: texts.sold,
    refusals: {
      ...refusalTable(saleErrorTexts.refused, (error) => ({
        toasts: [saleErrorTexts.itemFailed],
        error,
      })),
      failed: { status: 500, toasts: [saleErrorTexts.recordFailed] },
      'item-failed': { status: 500, toasts: [saleErrorTexts.itemFailed] },
      'bad-price': { status: 422, field: 'price', error: saleErrorTexts.badPrice },
      differs: ({ agreedCents }, { app }) => ({
        status: 409,
        field: 'price',
        error: saleErrorTexts.otherPrice(formatMoney(agreedCents, app.currency)),
      }),
    },
  }),
}
