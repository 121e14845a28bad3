/** What is typed into a field whose stored value may change meanwhile: typing stays, everything else follows what is stored. */
import { useState } from 'react'

export type Draft = {
  value: string
  /** what was stored when the typing began */
  was: string
  isDirty: boolean
  /** another window has saved something else since then */
  isElsewhere: boolean
  type: (value: string) => void
  /** back to what is stored */
  forget: () => void
}

export function useDraft(stored: string): Draft {
  const [typed, setTyped] = useState<{ value: string; was: string } | null>(null)
  const isDirty = typed !== null && typed.value !== stored
  const was = isDirty ? typed.was : stored
  return {
    value: typed?.value ?? stored,
    was,
    isDirty,
    isElsewhere: was !== stored,
    type: (value) => setTyped({ value, was }),
    forget: () => setTyped(null),
  }
}
