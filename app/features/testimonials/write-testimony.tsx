import { Field } from '#app/ui/form-fields.tsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, data, isRouteErrorResponse, useFetcher, useParams } from 'react-router'
import { saveDraft, useStoredDraft } from '#app/client/drafts.ts'
import { lazyComponent } from '#app/ui/lazy-component.tsx'
import { LooseKnot } from '#app/ui/cord-drawing.tsx'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { usePrefersReducedMotion } from '#app/ui/use-prefers-reduced-motion.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { rewardText, STEP_MS, type Ticket, type WriteAnswer, isTooLong } from './testimony.ts'
import { ticketTexts as texts } from './texts.ts'
import { TestimonyItems } from './testimony-card.tsx'
import css from './write-testimony.module.css'

/** Only the browser of a customer with a credit loads this code. */
const OwnCredit = lazyComponent(() =>
  import('#app/features/credits/own-credit.tsx').then((module) => module.OwnCredit),
)

export function WriteTestimony({
  ticket,
  answer,
}: {
  ticket: Ticket
  answer: WriteAnswer | undefined
}) {
  const reward = rewardText(useCurrency())
  const rewardLeft = ticket.state === 'taken' && ticket.credit?.state === 'used' ? null : reward
  const { testimonyid = '' } = useParams()
  useEffect(() => {
    if (ticket.state === 'taken') saveDraft(testimonyid, DRAFT, '')
  }, [ticket.state, testimonyid])
  return (
    <main
      className={`page centered-text ${css.page}`}
      id="main"
    >
      {ticket.state === 'unknown' ? (
        <>
          <LooseKnot />
          <h1>{texts.unknown}</h1>
          <p className="soft">{texts.unknownHint}</p>
          <NextStep>
            <Link
              className="button quiet"
              to="/contact/"
            >
              {texts.ask}
            </Link>
          </NextStep>
        </>
      ) : (
        <>
          <img
            className={`photo ${css.photo}`}
            src={ticket.writerPhotoURL}
            width={112}
            height={112}
            alt=""
          />
          {ticket.state === 'taken' ? (
            <>
              <h1>{texts.thanks(ticket.writerName, rewardLeft)}</h1>
              <p className="soft">{texts.thanksHint(rewardLeft)}</p>
              {ticket.credit && <OwnCredit credit={ticket.credit} />}
              <NextStep>
                <Link
                  className="button quiet"
                  to="/testimonials/"
                >
                  {texts.readOthers}
                </Link>
              </NextStep>
            </>
          ) : (
            <>
              <h1>{texts.hello(ticket.writerName)}</h1>
              <p className="soft">{texts.intro(reward)}</p>
              <WriteSteps
                ticketId={testimonyid}
                answer={answer}
              />
            </>
          )}
        </>
      )}
    </main>
  )
}

/** Drafts of testimonies use the ticket id instead of a user id. */
const DRAFT = 'testimony'

function NextStep({ children }: { children: ReactNode }) {
  return (
    <p className={`cluster centered ${css.onward}`}>
      <Link
        className="button"
        to="/gallery/"
      >
        {texts.browseGallery}
      </Link>
      {children}
    </p>
  )
}

/** The page does not send an incomplete email address, because the server limits the number of attempts. */
const looksComplete = (email: string) => /^\S+@\S+\.\S{2,}$/.test(email)

/** After the visitor has entered the right email address, the steps of the form open one after another. `answer` is the response to a form that was sent without JavaScript. */
function WriteSteps({ ticketId, answer }: { ticketId: string; answer: WriteAnswer | undefined }) {
  const fetcher = useFetcher<WriteAnswer>()
  const result = fetcher.data ?? answer
  // After the email address has matched, the steps stay open whatever the server responds, so that the visitor's text is not lost.
  const [match, setMatch] = useState(answer?.isMatched ? answer : null)
  if (!match && result?.isMatched) setMatch(result)
  const isMatched = match !== null
  const opened = useOpenSteps(isMatched, answer?.isMatched === true)
  const [typed, setTyped] = useState(answer?.email ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const email = useRef<HTMLInputElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const isPending = fetcher.state !== 'idle'
  /** Asks the server whether the email address matches, half a second after the visitor has typed the last character. [S-043] */
  function ask(address: string) {
    clearTimeout(timer.current)
    if (!looksComplete(address) || address === result?.email) return
    timer.current = setTimeout(
      () => void fetcher.submit({ intent: 'check', email: address }, { method: 'post' }),
      500,
    )
  }
  // After the last step has opened, the focus moves from the email field to the text field.
  useEffect(() => {
    if (
      opened === LAST_STEP &&
      [document.body, email.current].includes(document.activeElement as HTMLElement)
    )
      text.current?.focus()
  }, [opened])
  const emailError = isMatched ? undefined : result?.error
  const textError = isMatched ? result?.error : undefined
  const typedText = answer?.testimony
  const isTextOpen = isMatched ? opened >= 2 : typedText !== undefined
  // The draft belongs to the ticket, because the buyer need not be logged in. [S-171]
  useStoredDraft(text, isTextOpen ? ticketId : null, DRAFT)
  const isSubmitOpen = isMatched ? opened >= LAST_STEP : typedText !== undefined
  return (
    <fetcher.Form
      method="post"
      className={`card ${css.form}`}
      onSubmit={() => clearTimeout(timer.current)}
    >
      <div className="field">
        <label htmlFor="email">{texts.email}</label>
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
        <p
          id="email-note"
          className={emailError ? 'error' : 'hint'}
          role={emailError ? 'alert' : undefined}
        >
          {emailError ?? texts.emailHint}
        </p>
      </div>
      {!isMatched && !isSubmitOpen && (
        <button
          className="button"
          name="intent"
          value="check"
          aria-disabled={isPending}
        >
          {texts.continue}
        </button>
      )}
      {isMatched && (
        <p
          className={css.allSet}
          role="status"
        >
          {texts.allSet}
        </p>
      )}
      {isMatched && opened >= 1 && (
        <div className={css.step}>
          <h2>{texts.yourItems}</h2>
          <TestimonyItems items={match.items ?? []} />
        </div>
      )}
      {isTextOpen && (
        <Field
          label={texts.testimony}
          name="testimony"
          id="testimony"
          className={`field ${css.step}`}
          error={textError}
        >
          {(tied) => (
            <textarea
              {...tied}
              ref={text}
              rows={7}
              defaultValue={typedText}
              onChange={(event) => saveDraft(ticketId, DRAFT, event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      {isSubmitOpen && (
        <button
          className={`button ${css.step}`}
          name="intent"
          value="write"
          aria-disabled={isPending}
        >
          {texts.submit}
        </button>
      )}
    </fetcher.Form>
  )
}

const LAST_STEP = 3

/** Returns how many steps of the form are open. With reduced motion or without JavaScript, all steps open at the same time. [TESTI-18] */
function useOpenSteps(isMatched: boolean, isOpenAtFirst: boolean): number {
  const hasScript = useHydrated()
  const wantsCalm = usePrefersReducedMotion()
  const [opened, setOpened] = useState(isOpenAtFirst ? LAST_STEP : 0)
  useEffect(() => {
    if (!isMatched || opened >= LAST_STEP) return
    const timer = setTimeout(() => setOpened(opened + 1), STEP_MS)
    return () => clearTimeout(timer)
  }, [isMatched, opened])
  return hasScript && !(isMatched && wantsCalm) ? opened : LAST_STEP
}

const respondWith = (error: string | undefined, status: number) =>
  data<WriteAnswer>({ isMatched: false, error }, { status })

/** Calls `send`, which sends the form to the server. If `send` fails, returns an error, so that the page keeps the typed text. [S-046] */
export async function sendTestimony<Sent>(form: FormData, send: () => Promise<Sent>) {
  const isWriting = form.get('intent') === 'write'
  // The browser checks the length, because the server refuses a very long form without this error message.
  if (isWriting && isTooLong(String(form.get('testimony')))) return respondWith(texts.tooLong, 422)
  return send().catch((error: unknown) => {
    if (error instanceof Response) throw error
    if (isRouteErrorResponse(error) && typeof error.data === 'string')
      return respondWith(error.data, error.status)
    // If a testimony could not be sent, the form shows no error, because the offline banner is visible. [S-046]
    return respondWith(isWriting ? undefined : texts.notReached, 503)
  })
}
