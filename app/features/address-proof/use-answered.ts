/** What a page shows that answers its own form: the last answer, whatever is loaded anew beneath it meanwhile. */
import { useState } from 'react'
import { useFetcher } from 'react-router'

/**
 * `first`: from the server, without script also the answer. `mark` is a field that every answer of the page has: one that could not be sent has
 * none, and leaves what is shown. The page is to be keyed by its location.
 */
export function useAnswered<State extends object>(first: State, mark: keyof State) {
  const fetcher = useFetcher<unknown>()
  const [state, setState] = useState(first)
  const isPending = fetcher.state !== 'idle'
  const answered = fetcher.data
  const isAnswer = (one: unknown): one is State => typeof one === 'object' && one !== null && mark in one
  if (!isPending && isAnswer(answered) && answered !== state) setState(answered)
  return { state, isPending, Form: fetcher.Form }
}
