/** The page on which a buyer writes: first the e-mail of the purchase, then the steps open one after another. */
import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { useHasScript } from '#app/ui/back-field.tsx'
import { MAX_TESTIMONY, STEP_EVERY, testimonyTexts, thanksText, type TestimonyItem, type Ticket, type WriteAnswer } from './testimony.ts'
import css from './write-testimony.module.css'

export function WriteTestimony({ ticket, answer }: { ticket: Ticket; answer: WriteAnswer | undefined }) {
  return (
    <main className={`page ${css.page}`} id="main">
      {ticket.state === 'unknown' ? (
        <h1 className={css.alone}>{testimonyTexts.unknown}</h1>
      ) : (
        <>
          <img className={css.photo} src={ticket.writerPhotoURL} width={112} height={112} alt="" />
          {ticket.state === 'taken' ? (
            <h1 className={css.alone}>{thanksText(ticket.writerName)}</h1>
          ) : (
            <>
              <h1>{`Hello, ${ticket.writerName}`}</h1>
              <p className="soft">How do you like what you took home? Your words earn you $5 OFF.</p>
              <Steps answer={answer} />
            </>
          )}
        </>
      )}
    </main>
  )
}

/** Worth asking the server about: each try counts. */
const looksWhole = (email: string) => /^\S+@\S+\.\S{2,}$/.test(email)

function Steps({ answer }: { answer: WriteAnswer | undefined }) {
  const fetcher = useFetcher<WriteAnswer>()
  const told = fetcher.data ?? answer
  const isMatched = told?.isMatched ?? false
  const [typed, setTyped] = useState(answer?.email ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const opened = useOpened(isMatched)
  const isPending = fetcher.state !== 'idle'
  /** S-043: the input locks the moment the typed e-mail matches; a pause in typing asks the server, once for each text. */
  function ask(email: string, wait: number) {
    clearTimeout(timer.current)
    if (!looksWhole(email) || email === told?.email) return
    timer.current = setTimeout(() => void fetcher.submit({ intent: 'check', email }, { method: 'post' }), wait)
  }
  const emailError = isMatched ? undefined : told?.error
  const textError = isMatched ? told?.error : undefined
  return (
    <fetcher.Form method="post" className={css.form} onSubmit={() => clearTimeout(timer.current)}>
      <div className="field">
        <label htmlFor="email">Email</label>
        <input
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
          value={isMatched ? told?.email : typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            ask(event.currentTarget.value, 500)
          }}
        />
        <p id="email-note" className={emailError ? 'error' : 'hint'} role={emailError ? 'alert' : undefined}>
          {emailError ?? 'Type it exactly as on the purchase.'}
        </p>
      </div>
      {!isMatched && (
        <button className="button" name="intent" value="check" disabled={isPending}>
          Continue
        </button>
      )}
      {isMatched && (
        <p className={css.allSet} role="status">
          {testimonyTexts.allSet}
        </p>
      )}
      {isMatched && opened >= 1 && <Items items={told?.items ?? []} />}
      {isMatched && opened >= 2 && (
        <div className={`field ${css.step}`}>
          <label htmlFor="testimony">Your testimony</label>
          <textarea
            className="input"
            id="testimony"
            name="testimony"
            rows={7}
            maxLength={MAX_TESTIMONY}
            defaultValue={answer?.testimony}
            aria-describedby={textError ? 'testimony-error' : undefined}
          />
          {textError && (
            <p className="error" id="testimony-error" role="alert">
              {textError}
            </p>
          )}
        </div>
      )}
      {isMatched && opened >= LAST_STEP && (
        <button className={`button ${css.step}`} name="intent" value="write" disabled={isPending}>
          Submit
        </button>
      )}
    </fetcher.Form>
  )
}

/** TESTI-19, TESTI-20 */
function Items({ items }: { items: TestimonyItem[] }) {
  return (
    <div className={css.step}>
      <h2>Your items</h2>
      <ul>
        {items.map(({ id, name }) => (
          <li key={id}>
            <a href={`/item/${encodeURIComponent(id)}/`} target="_blank" rel="noopener">
              {name}
              <span className="unseen"> (opens in a new tab)</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

const LAST_STEP = 3

/** TESTI-18: how many steps are open; all of them where no script counts the seconds. */
function useOpened(isMatched: boolean): number {
  const hasScript = useHasScript()
  const [opened, setOpened] = useState(0)
  // The clock is outside React.
  useEffect(() => {
    if (!isMatched || opened >= LAST_STEP) return
    const timer = setTimeout(() => setOpened(opened + 1), STEP_EVERY)
    return () => clearTimeout(timer)
  }, [isMatched, opened])
  return hasScript ? opened : LAST_STEP
}
