import { useState } from 'react'
import { useLocation } from 'react-router'
import { SubmissionFailed } from './action-result.ts'

/** Keeps the result of a form until the next result, or until the visitor opens another page. React Router alone would drop the result when a live update loads the page's data again. [S-242] */
export function usePersistentActionData<Data>(answered: Data | undefined): Data | undefined {
  const { key } = useLocation()
  const [stored, setStored] = useState({ key, answer: answered })
  const isLost = answered instanceof SubmissionFailed
  const answer =
    answered !== undefined && !isLost
      ? answered
      : isLost || key === stored.key
        ? stored.answer
        : undefined
  if (key !== stored.key || answer !== stored.answer) setStored({ key, answer })
  return answer
}
