import type { QueueStep } from '#db/schema.ts'

export const MAX_QUEUED = 300
export const MAX_DONE = 10
/** A conversation with this parameter begins with a message about the offer. */
export const READY_PARAMETER = 'ready'

export type QueueAction =
  | 'start'
  | 'finish'
  | 'hand-over'
  | 'back-to-waiting'
  | 'back-to-making'
  | 'back-to-ready'
type Transition = { from: readonly QueueStep[]; to: QueueStep }

export const queueTransitions: Record<QueueAction, Transition> = {
  start: { from: ['waiting'], to: 'making' },
  finish: { from: ['making'], to: 'ready' },
  'hand-over': { from: ['ready'], to: 'handed-over' },
  'back-to-waiting': { from: ['making'], to: 'waiting' },
  'back-to-making': { from: ['ready'], to: 'making' },
  'back-to-ready': { from: ['handed-over'], to: 'ready' },
}

export const actionsAt = (step: QueueStep) =>
  (Object.keys(queueTransitions) as QueueAction[]).filter((action) =>
    queueTransitions[action].from.includes(step),
  )

/** Returns the step that owner and customer see. [AGREE-146] */
export const shownStep = <Step extends QueueStep>(
  step: Step,
  { isShipped, arrivedAt }: { isShipped: boolean; arrivedAt: number | null },
) => {
  if (step !== 'handed-over') return step as Exclude<Step, 'handed-over'>
  if (!isShipped) return 'picked-up' as const
  return arrivedAt === null ? ('sent' as const) : ('received' as const)
}

export const entryId = (offerId: string, line: number) => `${offerId}-${line}`

export function parseEntryId(id: string) {
  const [, offerId, line] = /^(.{1,64})-(\d{1,3})$/.exec(id) ?? []
  return offerId === undefined ? null : { offerId, line: Number(line) }
}
