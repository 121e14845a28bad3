/** Only the owner reads these texts: her side of the payment. */
import type { PaymentRefusal } from './texts.ts'

export const paymentFormTexts = {
  mark: 'Mark as paid',
  day: 'Paid on',
  dayHint: 'Empty means today.',
  method: 'How',
  pay: {
    'pay-deposit': (amount: string) => `Deposit paid: ${amount}`,
    'pay-balance': (amount: string) => `Balance paid: ${amount}`,
    'pay-total': (amount: string) => `All paid: ${amount}`,
  },
  undo: 'Take payment back',
  undoQuestion: (payment: string) => `Take this back? “${payment}”`,
}

export const paymentResults = {
  marked: 'Marked as paid.',
  takenBack: 'The payment was taken back.',
  notConfirmed: 'Nothing was taken back, because the question was not answered with “Yes”.',
  badDay: 'Please choose a day.',
  futureDay: 'This day is in the future.',
  badMethod: 'Please choose how it was paid.',
}

/** These texts say why a payment was not recorded or taken back. */
export const paymentRefusals: Record<PaymentRefusal, string> = {
  'not-found': 'This offer does not exist.',
  'not-accepted': 'Only an accepted offer can be paid.',
  unpaid: 'Nothing of this offer is marked as paid.',
  'deposit-paid': 'The deposit of this offer is already marked as paid.',
  paid: 'This offer is already marked as paid.',
  failed: 'The shop could not save it. Please try again.',
}

export const openAmountTexts = {
  title: 'Open amounts',
  all: (amount: string) => `All open amounts: ${amount}`,
  offer: 'accepted offer',
  says: (offers: string, amount: string) => `${offers}, not fully paid: ${amount} altogether.`,
  more: (count: number) => `And ${count} more.`,
}

/** The printed invoice shows these texts. */
export const invoicePaymentTexts = {
  open: 'Open amount',
  openFor: (references: string[]) => `Open amount (reference ${references.join(', ')})`,
}
