/** What the owner may do with a testimony, and the words for it (S-039). */
import { isBlank, type TestimonyItem } from './testimony.ts'

export const moderations = ['validate', 'show', 'hide'] as const
export type Moderation = (typeof moderations)[number]
export type ModerationRefusal = 'gone' | 'changed' | 'blank'

export type Voice = {
  id: string
  writerName: string
  writerEmail: string
  writerPhotoURL: string
  testimony: string
  items: TestimonyItem[]
  isValidated: boolean
  isShown: boolean
  /** UTC milliseconds */
  writtenAt: number
}
export type Voices = { voices: Voice[]; waiting: number; shown: number; openTickets: number; page: number; pages: number }

export const moderationTexts: Record<Moderation | ModerationRefusal, string> = {
  validate: 'Validated. It is not shown yet.',
  show: 'Shown on the Testimonials page',
  hide: 'No longer shown',
  gone: 'This testimony does not exist any more',
  changed: 'This testimony was changed meanwhile. Here is how it stands now.',
  blank: 'There is nothing to show: the writer left it blank',
}

/** What is shown has been looked at, so showing validates as well; a blank one is never shown (S-044). */
export function possibleActs({ testimony, isValidated, isShown }: Pick<Voice, 'testimony' | 'isValidated' | 'isShown'>): Moderation[] {
  if (isShown) return ['hide']
  return moderations.filter((act) => (act === 'validate' ? !isValidated : act === 'show' && !isBlank(testimony)))
}

export const stateOf = ({ isValidated, isShown }: Pick<Voice, 'isValidated' | 'isShown'>): string =>
  isShown ? 'Shown' : isValidated ? 'Not shown' : 'Waiting'
