import { salesTexts } from './texts.ts'

/** The payment methods of sales outside a conversation. */
export const SALE_METHODS = ['cash', 'card', 'paypal', 'bank', 'other'] as const
export type SaleMethod = (typeof SALE_METHODS)[number]

const isPaymentMethod = (method: string): method is SaleMethod =>
  (SALE_METHODS as readonly string[]).includes(method)

/** Returns for example "Card reader". Sales in a conversation have no payment method. */
export const paymentMethodName = (method: string): string =>
  isPaymentMethod(method) ? salesTexts.methods[method] : method
