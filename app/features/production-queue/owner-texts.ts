import type { QueueStep } from '#db/schema.ts'
import { MAX_QUEUED, type QueueAction } from './queue.ts'

const steps = {
  waiting: 'Waiting',
  making: 'Making',
  ready: 'Ready',
  'handed-over': 'Sent or picked up',
} satisfies Record<QueueStep, string>

export const queuePageTexts = {
  title: 'To make',
  intro:
    'The pieces of the offers that customers have accepted. Customers see the step of their own pieces.',
  none: 'Nothing to make right now. When a customer accepts an offer, its pieces appear here.',
  order: 'Order of pieces to make',
  steps,
  soldWaiting: 'Sold, not started',
  step: 'Step: ',
  actions: {
    start: 'Start making',
    finish: 'Mark ready',
    'hand-over': 'Hand over',
    'back-to-waiting': 'Back to waiting',
    'back-to-making': 'Back to making',
    'back-to-ready': 'Back to ready',
  } satisfies Record<QueueAction, string>,
  ofPiece: (act: string, piece: string) => `${act}: ${piece}`,
  quantity: (quantity: number) => `${quantity} ×`,
  customer: 'For ',
  readyBy: (day: string) => `Ready by ${day}`,
  late: 'Late',
  done: 'Done',
  doneHint: 'The last pieces that you sent or that were picked up.',
  handedOver: {
    sent: (day: string) => `sent on ${day}`,
    received: (day: string) => `sent on ${day}, received`,
    'picked-up': (day: string) => `picked up on ${day}`,
  },
  completeSale: 'Complete the sale',
  isCut: `These are the first ${MAX_QUEUED} pieces.`,
  nextPiece: (day: string) => `A piece ordered today would be ready about ${day}. Change `,
  noPiecesPerWeek: 'To show customers when a made-to-order piece would be ready, fill in ',
  piecesPerWeek: 'Pieces per week',
}

export const readyOrderTexts = {
  unpaid: (customer: string, amount: string) =>
    `Everything for ${customer} is ready. ${amount} are not paid yet.`,
  tell: (customer: string, amount: string) => `Tell ${customer}: ready, ${amount} to pay`,
  message: (amount: string) => `Your order is ready. The balance to pay is ${amount}.`,
}

export const queueErrors = {
  notFound: 'This piece is no longer in the list. The agreement may have been canceled.',
  changed: (piece: string, step: QueueStep) =>
    `“${piece}” was moved in the meantime. Its step is now “${steps[step]}”.`,
}
