/** The page of a ticket: its writer is greeted and may write, is thanked for having written, or there is no such ticket (TESTI-10 to TESTI-25). */
import { Field } from '#app/ui/form-fields.tsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, data, isRouteErrorResponse, useFetcher } from 'react-router'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { useHasScript } from '#app/ui/back-field.tsx'
import { useCalm } from '#app/ui/use-calm.ts'
import { STEP_EVERY, type Ticket, type WriteAnswer, isTooLong, testimonyTexts, thanksText } from './testimony.ts'
import { TestimonyItems } from './testimony-card.tsx'
import css from './write-testimony.module.css'

export function WriteTestimony({ ticket, answer }: { ticket: Ticket; answer: WriteAnswer | undefined }) {
  return (
    <main className={`page centered-text ${css.page}`} id="main">
      {ticket.state === 'unknown' ? (
        <>
          <LooseKnot />
          <h1>{testimonyTexts.unknown}</h1>
          <p className="soft">No ticket has this address. If you typed it, look at the card once more: capital letters count.</p>
          <Onward>
            <Link className="button quiet" to="/contact/">
              Ask about your ticket
            </Link>
          </Onward>
        </>
      ) : (
        <>
          <img className={`photo ${css.photo}`} src={ticket.writerPhotoURL} width={112} height={112} alt="" />
          {ticket.state === 'taken' ? (
            <>
              <h1>{thanksText(ticket.writerName)}</h1>
              <p className="soft">Your words are with the maker. Mention them with your next order, and $5 come off its price.</p>
              <Onward>
                <Link className="button quiet" to="/testimonials/">
                  Read what others wrote
                </Link>
              </Onward>
            </>
          ) : (
            <>
              <h1>{`Hello, ${ticket.writerName}`}</h1>
              <p className="soft">How do you like what you took home? Your words earn you $5 OFF.</p>
              <WriteSteps answer={answer} />
            </>
          )}
        </>
      )}
    </main>
  )
}

function Onward({ children }: { children: ReactNode }) {
  return (
    <p className={`cluster centered ${css.onward}`}>
      <Link className="button" to="/gallery/">
        Look through the gallery
      </Link>
      {children}
    </p>
  )
}

/** Worth asking the server about: each try counts. */
const looksWhole = (email: string) => /^\S+@\S+\.\S{2,}$/.test(email)

/** Writing a testimony: first the email of the purchase, then the steps open one after another. `answer`: of a form that was sent without script. */
function WriteSteps({ answer }: { answer: WriteAnswer | undefined }) {
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
        <Field label="Your testimony" name="testimony" id="testimony" className={`field ${css.step}`} error={textError}>
          {(tied) => <textarea {...tied} ref={text} rows={7} defaultValue={keptText} />}
        </Field>
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

const say = (error: string | undefined, status: number) => data<WriteAnswer>({ isMatched: false, error }, { status })

/** The browser's end of the form: neither a lost connection nor a refused form takes the page down, with what was typed on it (S-046). `send` is the router's way to the action of the route. */
export async function sendTestimony<Sent>(form: FormData, send: () => Promise<Sent>) {
  const isWriting = form.get('intent') === 'write'
  // The server says so too, but reads no form that is very much too long.
  if (isWriting && isTooLong(String(form.get('testimony')))) return say(testimonyTexts.tooLong, 422)
  return send().catch((error: unknown) => {
    if (error instanceof Response) throw error
    if (isRouteErrorResponse(error) && typeof error.data === 'string') return say(error.data, error.status)
    // S-046: no message where a testimony could not be sent; the bar of the lost connection says what there is to say.
    return say(isWriting ? undefined : testimonyTexts.notReached, 503)
  })
}
