import { offerRefusals } from './texts.ts'
import { MAX_LINE_TEXT, MAX_OFFER_LINES, MAX_QUANTITY, MAX_VALID_DAYS } from './offer.ts'

export const offerFormTexts = {
  title: (customer: string) => `Offer for ${customer}`,
  intro:
    'The customer sees this offer in the conversation and can accept it with one click. A newer offer replaces this one.',
  back: 'Back to the order',
  line: (number: number) => `Line ${number}`,
  include: 'Part of this offer',
  name: 'What it is',
  price: 'Price each',
  quantity: 'Quantity',
  color: 'Color',
  notes: 'Size or notes',
  add: 'Add a line',
  remove: 'Remove line',
  removeLine: (number: number) => `Remove line ${number}`,
  total: (money: string) => `Total ${money}`,
  deposit: (money: string) => `Deposit ${money}`,
  leftOut: (names: string[]) =>
    `Not offered again, because it is sold or no longer requested: ${names.join(', ')}.`,
  shipping: 'Shipping',
  depositField: 'Deposit',
  depositHint: (percent: number) =>
    percent > 0 ? `Blank: ${percent} percent of the total.` : 'Blank: no deposit.',
  readyBy: 'Ready by (optional)',
  validUntil: 'Valid through',
  isShipped: 'Ask for an address when the offer is accepted',
  message: 'Message (optional)',
  send: 'Send offer',
  sending: 'Sending…',
  sent: 'Offer sent',
}

export const offerErrors = {
  noLines: 'Please add at least one line.',
  tooManyLines: `An offer has at most ${MAX_OFFER_LINES} lines.`,
  noName: 'Please say what it is.',
  tooLong: `At most ${MAX_LINE_TEXT} characters.`,
  badPrice: 'Please type a price from 0 to 9,999,999.99, such as 45.50.',
  badQuantity: `Please type a whole number from 1 to ${MAX_QUANTITY}.`,
  onlyOne: 'This piece is one of a kind. The quantity can only be 1.',
  badShipping: 'Please type the price of shipping, such as 6.50, or leave it blank.',
  badDeposit: 'Please type the deposit, such as 20.00, or leave it blank.',
  highDeposit: 'The deposit is more than the total.',
  badDay: 'Please choose a day.',
  pastDay: 'This day has passed.',
  lateDay: `At most ${MAX_VALID_DAYS} days from today.`,
  longMessage: 'Please keep the message under 10,000 characters.',
  tooMuch: 'The total is more than 9,999,999.99.',
  'not-requested': 'A piece in this offer is no longer requested, or is in it twice. Leave it out.',
  agreed:
    'A piece in this offer is part of an accepted offer. Cancel that agreement first, or leave the piece out.',
  'not-found': 'This conversation no longer exists.',
  'already-sent':
    'This offer was already sent, with other terms. Open the conversation to see it. To change it, send a newer offer.',
  closed: 'This order is closed. Reopen it first.',
  'no-reply': 'The customer of this conversation has no account, so she could not accept an offer.',
  failed: 'The shop could not save the offer. Please try again.',
}

export const ownerOfferRefusals: typeof offerRefusals = {
  ...offerRefusals,
  sent: 'The customer has not accepted this offer yet.',
  seen: 'The customer has not accepted this offer yet.',
  'change-requested': 'The customer has not accepted this offer yet.',
  accepted: 'The customer has accepted this offer in the meantime.',
  expired: 'This offer is no longer valid. You can make a new one.',
}
