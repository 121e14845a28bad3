/** What a page shows that answers its own form: the last answer, whatever is loaded anew beneath it meanwhile. */
import { useState } from 'react'
import { useLocation } from 'react-router'
import { NotSent } from './answer.ts'

/** The router forgets a form's answer when the live channel loads the page anew (S-242): it counts until the next one, or until the page is left. */
export function useKeptAnswer<Told>(answered: Told | undefined): Told | undefined {
  const { key } = useLocation()
  const [kept, setKept] = useState({ key, answer: answered })
  const isLost = answered instanceof NotSent
  const answer = answered !== undefined && !isLost ? answered : isLost || key === kept.key ? kept.answer : undefined
  if (key !== kept.key || answer !== kept.answer) setKept({ key, answer })
  return answer
}
