import type { ShownStep } from '#conversation/agreement.ts'

export const queueTexts = {
  steps: {
    waiting: 'Waiting',
    making: 'Being made',
    ready: 'Ready',
    sent: 'Sent',
    received: 'Received',
    'picked-up': 'Picked up',
  } satisfies Record<ShownStep, string>,
  ready: (day: string) => `Ready about ${day}`,
}
