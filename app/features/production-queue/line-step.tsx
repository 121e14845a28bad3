import type { QueueStep } from '#db/schema-agreements.ts'
import { queueTexts as texts } from './texts.ts'

/** Shows the step of a piece of an accepted offer, and nothing for other offers. [AGREE-38] */
export const LineStep = ({ step }: { step: QueueStep | undefined }) =>
  step && <span className="small soft column">{texts.steps[step]}</span>
