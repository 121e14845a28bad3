import type { PieceAfterUndo } from './sale-undo.server.ts'

/** Each text ends a sentence such as "The order could not be closed: …" */
export const orderReasonTexts = {
  'not-found': 'it no longer exists',
  closed: 'it is already closed',
  open: 'it is already open',
  'no-reply': 'it came from the contact page',
  'already-sold': 'it is sold',
  agreed: 'the customer has accepted an offer for it. Cancel that agreement first',
  failed: 'the shop could not save it',
}

export const orderPanelTexts = {
  title: 'Order',
  closed:
    'This order is closed. You can reopen it; a message or request of the customer reopens it, too.',
  empty: 'No items have been requested.',
  together: (quantity: number) => `All ${quantity} together: `,
  originalPrice: (price: string) => `Original price ${price}`,
  shownPrice: (price: string) => `· shown to the customer: ${price}`,
  agreedPrice: (price: string) => `· accepted by the customer: ${price}`,
  quantity: (quantity: number) => `${quantity} ×`,
  otherPrice: (price: string) => `Sell for a price other than ${price}`,
  makeOffer: 'Make an offer',
  currentPrice: { separator: '· ', price: (price: string) => `now ${price}` },
  soldFor: (price: string) => `Sold for ${price}`,
  receipt: 'See the receipt',
  sold: 'Sale Completed',
  retire: 'Not for sale anymore',
  retireItem: (item: string) => `Not for sale anymore: ${item}`,
  salePrice: (quantity: number) => (quantity > 1 ? `Sale price of all ${quantity}` : 'Sale price'),
  complete: 'Sale Complete',
  remove: 'Remove',
  removeAgreed:
    'To remove a piece of an agreement, choose “Cancel agreement” in the conversation. If one of its pieces is sold, undo or cancel that sale first.',
  confirmRemoval: (item: string) => `Remove ${item} from this order?`,
}

const afterUndo = {
  agreed: ' The piece is unsold again.',
  requested: ' The piece is unsold again.',
  'for-sale': ' The piece is for sale again.',
  nothing: '',
} satisfies Record<PieceAfterUndo, string>

const afterCancellation = {
  agreed: ' The agreement stays accepted.',
  requested: ' The piece is requested again.',
  'for-sale': ' The piece is for sale again.',
  nothing: '',
} satisfies Record<PieceAfterUndo, string>

type Agreement = { paid: string | null; credit: string | null }

/** What happens to the agreement of a canceled sale. */
const agreementStays = ({ paid, credit }: Agreement) =>
  [
    'The agreement stays accepted: its balance stays as it is',
    paid && `its payments of ${paid} stay recorded`,
    credit && `its credit of ${credit} stays used`,
  ]
    .filter(Boolean)
    .join(', ') + '. To end it, choose “Cancel agreement” in the conversation.'

export const undoSaleTexts = {
  undo: 'Undo',
  undoSale: (item: string) => `Undo the sale of ${item}`,
  confirmUndo: (item: string, price: string, piece: PieceAfterUndo) =>
    `Undo the sale of ${item} for ${price}?${afterUndo[piece]}`,
  undone: (piece: PieceAfterUndo) => `The sale was undone.${afterUndo[piece]}`,
  cancel: 'Cancel sale',
  cancelSale: (item: string) => `Cancel sale of ${item}`,
  confirmCancel: (item: string, invoice: string, returned: string) =>
    `Cancel the sale of ${item}? Invoice ${invoice} stays as it is; a canceling entry with today's date is added to Sales and Reports. It returns ${returned}; you return the money yourself.`,
  returned: (price: string) => `pieces ${price}`,
  returnedShipping: (nothing: string, shipping: string) => `, shipping ${nothing} of ${shipping}`,
  piece: (piece: PieceAfterUndo, agreement: Agreement) =>
    ({
      agreed: ` ${agreementStays(agreement)}`,
      requested: ' The piece is requested again, as before the sale.',
      'for-sale': ' The piece is for sale again.',
      nothing: '',
    })[piece],
  canceled: (piece: PieceAfterUndo) =>
    `The sale was canceled. Sales shows the canceling entry.${afterCancellation[piece]}`,
  notConfirmed: 'The sale was not canceled, because the question was not answered with “Yes”.',
  refused: {
    undone: 'This sale was already undone.',
    'agreed-again':
      'The customer has accepted another offer for this piece. Cancel that agreement first.',
    numbered:
      'Its invoice has a number by now, so this sale can no longer be undone. You can cancel it instead.',
    'not-numbered': 'Its invoice has no number yet, so this sale can simply be undone.',
    canceled: 'This sale was already canceled.',
    'is-cancellation':
      'This entry cancels a sale and stays. If the piece is sold after all, complete the sale again.',
  },
}

export const orderActionTexts = {
  closed: 'Order Successfully Closed',
  reopened: 'The order is open again.',
  notReopened: (reason: string) => `The order could not be reopened: ${reason}.`,
  notClosed: (reason: string) => `There was an error Closing the Order: ${reason}`,
  deleted: 'Record Successfully Deleted',
  notDeleted: (reason: string) => `There was an error Deleting the Record: ${reason}`,
  notRemoved: (reason: string) => `This item could not be removed: ${reason}.`,
  sold: [
    'Successfully Added Sales Record...',
    'Sale Completed! Invoice Management will show at Sales',
  ],
}

export const saleErrorTexts = {
  recordFailed: 'An Error has Occured while adding Sales Record...',
  itemFailed: 'An Error has Occured while updating Item State',
  badPrice:
    'Please type a price from 0 to 9,999,999.99, such as 45.50, or leave it blank for the original price.',
  otherPrice: (price: string) =>
    `The customer accepted ${price}. To sell for another price, check the box first.`,
  refused: {
    'not-found': 'This item is no longer in the order.',
    'already-sold': 'This item is already sold.',
    'sold-elsewhere':
      'This one-of-a-kind piece is already sold to someone else. Undo that sale first.',
    'on-hold': 'This piece is on hold for another customer. Release it in that order first.',
    closed: orderPanelTexts.closed,
  },
}
