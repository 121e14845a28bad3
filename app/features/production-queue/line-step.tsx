import type { QueueStep } from '#db/schema-agreements.ts'
import { queueTexts as texts } from './texts.ts'

/** Shows how far the piece of an accepted offer is. Other offers have no steps. [AGREE-38] */
export const LineStep = ({ step }: { step: QueueStep | undefined }) =>
  step && <span className="small soft column">{texts.steps[step]}</span>
