import type { OfferState } from '#db/schema.ts'

export const offerTexts = {
  title: 'Offer',
  states: {
    sent: 'Sent',
    seen: 'Seen',
    'change-requested': 'Change requested',
    accepted: 'Accepted',
    withdrawn: 'Withdrawn',
    expired: 'Expired',
    replaced: 'Replaced by a newer offer',
    canceled: 'Canceled',
  } satisfies Record<OfferState, string>,
  toAnswer: 'Waiting for your answer',
  quantity: (quantity: number) => `${quantity} ×`,
  shipping: 'Shipping',
  credit: (code: string) => `Credit ${code}`,
  soldDifference: 'Change of price since the offer',
  total: 'Total',
  readyBy: (day: string) => `Ready by ${day}`,
  validUntil: (moment: string) => `Valid through ${moment}`,
  accept: 'Accept offer',
  requestChange: 'Request a change',
  change: 'What should be different?',
  sendChange: 'Send request',
  withdraw: 'Withdraw offer',
  cancel: 'Cancel agreement',
  cancelQuestion:
    'Cancel this agreement? The customer will see this. The pieces stay requested, without the agreed prices.',
  cancelEffects: {
    open: (amount: string) => ` The open ${amount} is no longer due.`,
    credit: (amount: string) => ` The credit of ${amount} can be used again.`,
    paid: (amount: string) => ` ${amount} is marked as paid. You must return this money yourself`,
    parts: (pieces: string, shipping: string) => `: pieces ${pieces}, shipping ${shipping}`,
  },
}

export const offerMessages = {
  accept: 'I accept this offer.',
  withdraw: 'I withdraw this offer.',
  cancel: 'I cancel this agreement.',
}

export const offerResults = {
  accept: 'Offer accepted. Thank you!',
  'request-change': 'Your request was sent.',
  withdraw: 'The offer was withdrawn.',
  cancel: 'The agreement was canceled.',
  noText: 'Please write what should be different.',
  longText: 'Please keep it under 10,000 characters.',
  notConfirmed: 'Nothing was canceled, because the question was not answered with “Yes”.',
  signedOut: 'Please log in first.',
}

export const offerRefusals = {
  'not-found': 'This offer does not exist.',
  sent: 'This offer has not been accepted yet.',
  seen: 'This offer has not been accepted yet.',
  'change-requested': 'This offer has not been accepted yet.',
  accepted: 'This offer has already been accepted.',
  withdrawn: 'This offer was withdrawn in the meantime.',
  expired: 'This offer is no longer valid. Write a message to ask for a new one.',
  replaced: 'A newer offer has replaced this one.',
  canceled: 'This agreement was canceled.',
  outdated:
    'A piece in this offer has been sold or is no longer requested. Write a message to ask for a new offer.',
  'no-credit':
    'The credit in this offer has already been used. Write a message to ask for a new offer.',
  sold: 'A piece in this agreement has already been sold. Undo its sale first, or cancel the sale if its invoice has a number.',
}

export const nextStepTexts = {
  title: 'What to do next',
  pay: {
    deposit: (amount: string) => `Pay the deposit ${amount}`,
    balance: (amount: string) => `Pay the balance ${amount}`,
    total: (amount: string) => `Pay ${amount}`,
  },
  address: 'Give your address',
}
