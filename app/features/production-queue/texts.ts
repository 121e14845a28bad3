import type { QueueStep } from '#db/schema.ts'

export const queueTexts = {
  steps: {
    waiting: 'Waiting',
    making: 'Being made',
    ready: 'Ready',
    'handed-over': 'Handed over',
  } satisfies Record<QueueStep, string>,
  ready: (day: string) => `Ready about ${day}`,
}
