export const paymentFormTexts = {
  mark: 'Mark as paid',
  day: 'Paid on',
  dayHint: 'Leave it blank for today.',
  method: 'Paid by',
  pay: {
    'pay-deposit': (amount: string) => `Deposit paid: ${amount}`,
    'pay-balance': (amount: string) => `Balance paid: ${amount}`,
    'pay-total': (amount: string) => `All paid: ${amount}`,
  },
  toReturn: (amount: string) =>
    `Return ${amount} to the customer. Then undo the last payment, and mark the new amount as paid.`,
  toReturnAll: (amount: string) => `Return ${amount} to the customer, and then undo each payment.`,
  undo: 'Undo payment',
  undoQuestion: (payment: string, amount: string) => `Undo this payment? “${payment}: ${amount}”`,
}

export const paymentResults = {
  marked: 'Marked as paid.',
  takenBack: 'The payment was undone.',
  notConfirmed: 'Nothing was undone, because the question was not answered with “Yes”.',
  badDay: 'Please choose a day.',
  futureDay: 'This day is in the future.',
  badMethod: 'Please choose how it was paid.',
}

export const paymentRefusals = {
  'not-found': 'This offer does not exist.',
  'not-accepted': 'Only an accepted offer can be paid.',
  unpaid: 'No part of this offer is marked as paid.',
  'deposit-paid': 'The deposit of this offer is already marked as paid.',
  paid: 'This offer is already marked as paid.',
  'not-last': 'Only the last payment of this offer can be undone.',
  outdated: 'The payments of this offer have changed. Please look at them and try again.',
}

export const openAmountTexts = {
  title: 'Unpaid amounts',
  all: (amount: string) => `All unpaid amounts: ${amount}`,
  offer: 'accepted offer',
  says: (offers: string, amount: string) => `${offers}, not fully paid: ${amount} in total.`,
  more: (count: number) => `And ${count} more.`,
}
