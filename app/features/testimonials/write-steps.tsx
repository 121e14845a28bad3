/** Writing a testimony: first the e-mail of the purchase, then the steps open one after another. */
import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { useHasScript } from '#app/ui/back-field.tsx'
import { useCalm } from '#app/ui/use-calm.ts'
import { TestimonyItems } from './testimony-card.tsx'
import { STEP_EVERY, testimonyTexts, type WriteAnswer } from './testimony.ts'
import css from './write-testimony.module.css'

/** Worth asking the server about: each try counts. */
const looksWhole = (email: string) => /^\S+@\S+\.\S{2,}$/.test(email)

/** `answer`: of a form that was sent without script. */
export function WriteSteps({ answer }: { answer: WriteAnswer | undefined }) {
  const fetcher = useFetcher<WriteAnswer>()
  const told = fetcher.data ?? answer
  // Once the e-mail has matched it stays so, whatever a later answer says: nothing that was written may disappear.
  const [match, setMatch] = useState(answer?.isMatched ? answer : null)
  if (!match && told?.isMatched) setMatch(told)
  const isMatched = match !== null
  const opened = useOpened(isMatched, answer?.isMatched === true)
  const [typed, setTyped] = useState(answer?.email ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const email = useRef<HTMLInputElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const isPending = fetcher.state !== 'idle'
  /** S-043: the input locks the moment the typed e-mail matches; a pause in typing asks the server, once for each text. */
  function ask(address: string) {
    clearTimeout(timer.current)
    if (!looksWhole(address) || address === told?.email) return
    timer.current = setTimeout(() => void fetcher.submit({ intent: 'check', email: address }, { method: 'post' }), 500)
  }
  // The focus waits in the locked input, or is lost with the button that was pressed; it is not taken from anywhere else.
  useEffect(() => {
    if (opened === LAST_STEP && [document.body, email.current].includes(document.activeElement as HTMLElement)) text.current?.focus()
  }, [opened])
  const emailError = isMatched ? undefined : told?.error
  const textError = isMatched ? told?.error : undefined
  const keptText = answer?.testimony
  const isTextOpen = isMatched ? opened >= 2 : keptText !== undefined
  const isSubmitOpen = isMatched ? opened >= LAST_STEP : keptText !== undefined
  return (
    <fetcher.Form method="post" className={`card ${css.form}`} onSubmit={() => clearTimeout(timer.current)}>
      <div className="field">
        <label htmlFor="email">Email</label>
        <input
          ref={email}
          className="input"
          id="email"
          name="email"
          type="text"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={isMatched}
          aria-invalid={emailError ? true : undefined}
          aria-describedby="email-note"
          value={match?.email ?? typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            ask(event.currentTarget.value)
          }}
        />
        <p id="email-note" className={emailError ? 'error' : 'hint'} role={emailError ? 'alert' : undefined}>
          {emailError ?? 'Type it exactly as on the purchase.'}
        </p>
      </div>
      {!isMatched && !isSubmitOpen && (
        <button className="button" name="intent" value="check" aria-disabled={isPending}>
          Continue
        </button>
      )}
      {isMatched && (
        <p className={css.allSet} role="status">
          {testimonyTexts.allSet}
        </p>
      )}
      {isMatched && opened >= 1 && (
        <div className={css.step}>
          <h2>Your items</h2>
          <TestimonyItems items={match.items ?? []} />
        </div>
      )}
      {isTextOpen && (
        <div className={`field ${css.step}`}>
          <label htmlFor="testimony">Your testimony</label>
          <textarea
            ref={text}
            className="input"
            id="testimony"
            name="testimony"
            rows={7}
            defaultValue={keptText}
            aria-invalid={textError ? true : undefined}
            aria-describedby={textError ? 'testimony-error' : undefined}
          />
          {textError && (
            <p className="error" id="testimony-error" role="alert">
              {textError}
            </p>
          )}
        </div>
      )}
      {isSubmitOpen && (
        <button className={`button ${css.step}`} name="intent" value="write" aria-disabled={isPending}>
          Submit
        </button>
      )}
    </fetcher.Form>
  )
}

const LAST_STEP = 3

/** TESTI-18: how many steps are open; all of them at once for people who want no motion, and where no script counts the seconds. */
function useOpened(isMatched: boolean, isOpenAtFirst: boolean): number {
  const hasScript = useHasScript()
  const wantsCalm = useCalm()
  const [opened, setOpened] = useState(isOpenAtFirst ? LAST_STEP : 0)
  // The clock is outside React.
  useEffect(() => {
    if (!isMatched || opened >= LAST_STEP) return
    const timer = setTimeout(() => setOpened(opened + 1), STEP_EVERY)
    return () => clearTimeout(timer)
  }, [isMatched, opened])
  return hasScript && !(isMatched && wantsCalm) ? opened : LAST_STEP
}
