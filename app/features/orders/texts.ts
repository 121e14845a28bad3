import { MAX_NAME_LENGTH } from '#lib/auth/account-limits.ts'

export const requestTexts = {
  title: 'Order Request',
  hint: 'Please include where you want to be contacted back (eg. phone, email, or in app)',
  message: 'Message',
  submit: 'Submit',
  sending: 'Sending…',
  logIn: 'Please Login to Order',
  owner: 'Customers ask for the item here. (You are the owner.) ',
  edit: 'Edit this item',
  sent: 'Order Request Sent!',
  failed: 'An Error Occured while Sending Order Request',
  unsent: 'Your request was not sent and is still here. Press Submit again when you are online.',
  signedOut: 'Please Login to Submit an Order Request',
  noItem: 'This piece is no longer in the shop, so nothing was sent.',
  noColor: 'This piece does not come in this color anymore. Please choose another.',
  longName: `A name has at most ${MAX_NAME_LENGTH} characters.`,
  name: 'Your name (optional)',
  color: 'Color',
  anyColor: 'No preference',
}

export const requestStateTexts = {
  closed: {
    before: 'Your last order is closed. A new request opens it again; ',
    link: 'see your messages',
  },
  asked: {
    before: 'This piece is in your order. Your message will be added to ',
    link: 'your conversation',
  },
}
