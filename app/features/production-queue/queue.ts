/** Contains the rules of the production queue. Server and browser share these rules. */
import type { QueueStep } from '#db/schema-agreements.ts'

/** The queue page lists at most this many pieces. Further pieces appear after listed pieces are handed over. */
export const MAX_QUEUED = 300
export const MAX_DONE = 10

export type QueueAction =
  | 'start'
  | 'finish'
  | 'hand-over'
  | 'back-to-waiting'
  | 'back-to-making'
  | 'back-to-ready'
type Transition = { by: 'owner'; from: readonly QueueStep[]; to: QueueStep }

/** Lists every action that changes the production step of a piece. docs/states.md draws this table. [AGREE-32] */
export const queueTransitions: Record<QueueAction, Transition> = {
  start: { by: 'owner', from: ['waiting'], to: 'making' },
  finish: { by: 'owner', from: ['making'], to: 'ready' },
  'hand-over': { by: 'owner', from: ['ready'], to: 'handed-over' },
  'back-to-waiting': { by: 'owner', from: ['making'], to: 'waiting' },
  'back-to-making': { by: 'owner', from: ['ready'], to: 'making' },
  'back-to-ready': { by: 'owner', from: ['handed-over'], to: 'ready' },
}

export const isQueueAction = (action: string): action is QueueAction =>
  Object.hasOwn(queueTransitions, action)

/** Returns the actions that the owner can choose for a piece. The next step is first. */
export const actionsAt = (step: QueueStep): QueueAction[] =>
  (Object.keys(queueTransitions) as QueueAction[]).filter((action) =>
    queueTransitions[action].from.includes(step),
  )

/** Returns the id of an entry of the queue, which is a line of an accepted offer. */
export const entryId = (offerId: string, line: number): string => `${offerId}-${line}`

export function parseEntryId(id: string): { offerId: string; line: number } | null {
  const [, offerId, line] = /^(.{1,64})-(\d{1,3})$/.exec(id) ?? []
  return offerId === undefined ? null : { offerId, line: Number(line) }
}
