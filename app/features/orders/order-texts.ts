/** The texts of section 8 for order requests, closing, deleting and completing; misspellings included. */
import { reasons, type CloseRefusal, type RemoveRefusal } from './order.ts'

/** ITEM-33 */
export const REQUEST_SENT = 'Order Request Sent!'
/** ITEM-34 */
export const REQUEST_FAILED = 'An Error Occured while Sending Order Request'
/** ITEM-35 */
export const REQUEST_SIGNED_OUT = 'Please Login to Submit an Order Request'

export const NOT_SENT = 'This message could not be sent.'

/** MSG-14 */
export const ORDER_CLOSED = 'Order Successfully Closed'
/** MSG-15 */
export const closeError = (refusal: CloseRefusal): string => `There was an error Closing the Order: ${reasons[refusal]}`
/** MSG-21 */
export const RECORD_DELETED = 'Record Successfully Deleted'
/** MSG-22 */
export const deleteError = (refusal: 'not-found' | 'failed'): string => `There was an error Deleting the Record: ${reasons[refusal]}`

/** MSG-33, MSG-34, S-088: in this order */
export const SALE_TOASTS = ['Successfully Added Sales Record...', 'Sale Completed! Invoice Management will show at Sales']
/** MSG-36 */
const SALE_RECORD_ERROR = 'An Error has Occured while adding Sales Record...'
/** MSG-35 */
const ITEM_STATE_ERROR = 'An Error has Occured while updating Item State'
export const BAD_PRICE = 'Please type a price from 0 to 9,999,999.99, such as 45.50, or leave it blank for the original price.'
type SaleError = { toast: string; error?: string }
/** MSG-35, MSG-36, S-176: the specified text as toast, and beside the item why nothing was sold, where the shop knows it. */
export const saleErrors: Record<'not-found' | 'already-sold' | 'closed' | 'record-failed' | 'item-failed', SaleError> = {
  'record-failed': { toast: SALE_RECORD_ERROR },
  'item-failed': { toast: ITEM_STATE_ERROR },
  'not-found': { toast: ITEM_STATE_ERROR, error: 'This item is no longer in the order.' },
  'already-sold': { toast: ITEM_STATE_ERROR, error: 'This item is sold already.' },
  closed: { toast: ITEM_STATE_ERROR, error: 'This order is closed. A new request of the customer opens it again.' },
}
/** S-084 gives no text for removing: this stands beside the item only when it was refused. */
export const removeError = (refusal: RemoveRefusal): string => `This item could not be removed: ${reasons[refusal]}.`
