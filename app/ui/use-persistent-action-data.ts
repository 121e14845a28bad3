import { useState } from 'react'
import { useLocation } from 'react-router'
import { SubmissionFailed } from './action-result.ts'

/** React Router would drop the result when a live update loads the page's data. [S-242] */
export function usePersistentActionData<Data>(actionData: Data | undefined) {
  const { key } = useLocation()
  const [latest, setLatest] = useState({ key, answer: actionData })
  const isLost = actionData instanceof SubmissionFailed
  const earlierAnswer = isLost || key === latest.key ? latest.answer : undefined
  const answer = actionData !== undefined && !isLost ? actionData : earlierAnswer
  if (key !== latest.key || answer !== latest.answer) setLatest({ key, answer })
  return answer
}
