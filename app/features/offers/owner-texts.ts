/** Only the owner reads these texts: her form for an offer. */
import { MAX_LINE_TEXT, MAX_OFFER_LINES, MAX_QUANTITY, MAX_VALID_DAYS } from './offer.ts'

export const offerFormTexts = {
  link: 'Make an offer',
  title: (customer: string) => `Offer for ${customer}`,
  intro: 'The customer sees this offer in the conversation and can accept it with one click. A newer offer replaces this one.',
  back: 'Back to the order',
  line: (number: number) => `Line ${number}`,
  include: 'Part of this offer',
  name: 'What',
  price: 'Price of one',
  quantity: 'Quantity',
  color: 'Color',
  notes: 'Size or notes',
  add: 'Add a line',
  shipping: 'Shipping',
  readyBy: 'Ready by (optional)',
  validUntil: 'Valid until the end of',
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
  badShipping: 'Please type the price of shipping, such as 6.50, or leave it blank.',
  badDay: 'Please choose a day.',
  pastDay: 'This day has passed.',
  lateDay: `At most ${MAX_VALID_DAYS} days from today.`,
  longMessage: 'Please keep the message under 10,000 characters.',
  tooMuch: 'The total is more than 9,999,999.99.',
  notRequested: 'This piece is no longer requested. Leave it out.',
  'not-found': 'This conversation no longer exists.',
  closed: 'This order is closed. Reopen it first.',
  'no-reply': 'This conversation came from the contact page, so nobody could accept an offer.',
  failed: 'The shop could not save the offer. Please try again.',
}

export const agreedPriceTexts = {
  agreed: (price: string) => `· accepted by the customer: ${price}`,
  otherPrice: (price: string) => `Sell for another price than ${price}`,
  differs: (price: string) => `The customer accepted ${price}. To sell for another price, tick the box below.`,
}
