import { InputField, TextareaField } from '#ui/form-fields.tsx'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Link, data, isRouteErrorResponse, type SubmitFunction, useParams } from 'react-router'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { saveDraft, useStoredDraft } from '#client/drafts.ts'
import { lazyComponent } from '#ui/lazy-component.tsx'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { usePrefersReducedMotion } from '#ui/use-prefers-reduced-motion.ts'
import { useCurrency } from '#pricing/currency-context.ts'
import type { Ticket } from './testimonies.server.ts'
import { rewardText, type WriteAnswer, isTooLong } from './testimony.ts'
import { ticketTexts as texts } from './texts.ts'
import { TestimonyItems } from './testimony-card.tsx'
import css from './write-testimony.module.css'

const OwnCredit = lazyComponent(() =>
  import('#credits/own-credit.tsx').then((module) => module.OwnCredit),
)

type WriteTestimonyProps = { ticket: Ticket; answer: WriteAnswer | undefined }

export function WriteTestimony({ ticket, answer }: WriteTestimonyProps) {
  const { testimonyid = '' } = useParams()
  const reward = rewardText(useCurrency())
  useEffect(() => {
    if (ticket.state === 'taken') saveDraft(testimonyid, DRAFT, '')
  }, [ticket.state, testimonyid])
  return (
    <main
      className={`page text-center ${css.page}`}
      id="main"
    >
      {ticket.state === 'unknown' ? (
        <UnknownTicket />
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
            <Thanks
              ticket={ticket}
              reward={reward}
            />
          ) : (
            <>
              <h1>{texts.hello(ticket.writerName)}</h1>
              <p className="text-soft">{texts.intro(reward)}</p>
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

const UnknownTicket = () => (
  <>
    <LooseKnot />
    <h1>{texts.unknown}</h1>
    <p className="text-soft">{texts.unknownHint}</p>
    <NextStep>
      <Link
        className="button quiet"
        to="/contact/"
      >
        {texts.ask}
      </Link>
    </NextStep>
  </>
)

type ThanksProps = { ticket: Extract<Ticket, { state: 'taken' }>; reward: string }

function Thanks({ ticket: { writerName, credit }, reward }: ThanksProps) {
  const rewardLeft = credit?.state === 'used' ? null : reward
  return (
    <>
      <h1>{texts.thanks(writerName, rewardLeft)}</h1>
      <p className="text-soft">{texts.thanksHint(rewardLeft)}</p>
      {credit && <OwnCredit credit={credit} />}
      <NextStep>
        <Link
          className="button quiet"
          to="/testimonials/"
        >
          {texts.readOthers}
        </Link>
      </NextStep>
    </>
  )
}

const DRAFT = 'testimony'

function NextStep({ children }: { children: ReactNode }) {
  return (
    <p className={`row justify-center ${css.onward}`}>
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

function WriteSteps({ ticketId, answer }: { ticketId: string; answer: WriteAnswer | undefined }) {
  const form = useActionForm<WriteAnswer>()
  const result = form.answer ?? answer
  // Keeps the first match, so that no later answer closes the steps and loses the typed text.
  const [match, setMatch] = useState(answer?.isMatched ? answer : null)
  if (!match && result?.isMatched) setMatch(result)
  const isMatched = match !== null
  const opened = useOpenSteps(isMatched, answer?.isMatched === true)
  const [typed, setTyped] = useState(answer?.email ?? '')
  const check = useEmailCheck(form.submit, result?.email)
  const email = useRef<HTMLInputElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (
      opened === LAST_STEP &&
      [document.body, email.current].includes(document.activeElement as HTMLElement)
    ) {
      text.current?.focus()
    }
  }, [opened])
  const typedText = answer?.testimony
  const isTextOpen = isMatched ? opened >= 2 : typedText !== undefined
  const isSubmitOpen = isMatched ? opened >= LAST_STEP : typedText !== undefined
  return (
    <ActionForm
      form={form}
      className={`card ${css.form}`}
      onSubmit={check.cancel}
    >
      <InputField
        ref={email}
        label={texts.email}
        name="email"
        id="email"
        error={isMatched ? undefined : result?.error}
        hint={texts.emailHint}
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={isMatched}
        value={match?.email ?? typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          check.ask(currentTarget.value)
        }}
      />
      {!isMatched && !isSubmitOpen && (
        <SubmitButton
          name="intent"
          value="check"
        >
          {texts.continue}
        </SubmitButton>
      )}
      {match && (
        <MatchedItems
          items={match.items ?? []}
          isListOpen={opened >= 1}
        />
      )}
      {isTextOpen && (
        <TestimonyField
          ref={text}
          ticketId={ticketId}
          error={isMatched ? result?.error : undefined}
          value={typedText}
        />
      )}
      {isSubmitOpen && (
        <SubmitButton
          className={`button ${css.step}`}
          name="intent"
          value="write"
        >
          {texts.submit}
        </SubmitButton>
      )}
    </ActionForm>
  )
}

function useEmailCheck(submit: SubmitFunction, checkedEmail: string | undefined) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const cancel = () => clearTimeout(timer.current)
  function ask(email: string) {
    cancel()
    if (!/^\S+@\S+\.\S{2,}$/.test(email) || email === checkedEmail) return
    timer.current = setTimeout(
      () => void submit({ intent: 'check', email }, { method: 'post' }),
      500,
    )
  }
  return { ask, cancel }
}

type MatchedItemsProps = { items: NonNullable<WriteAnswer['items']>; isListOpen: boolean }

const MatchedItems = ({ items, isListOpen }: MatchedItemsProps) => (
  <>
    <p
      className={css.allSet}
      role="status"
    >
      {texts.allSet}
    </p>
    {isListOpen && (
      <div className={css.step}>
        <h2>{texts.yourItems}</h2>
        <TestimonyItems items={items} />
      </div>
    )}
  </>
)

type TestimonyFieldProps = {
  ref: RefObject<HTMLTextAreaElement | null>
  ticketId: string
  error: string | undefined
  value: string | undefined
}

function TestimonyField({ ref, ticketId, error, value }: TestimonyFieldProps) {
  useStoredDraft(ref, ticketId, DRAFT)
  return (
    <TextareaField
      label={texts.testimony}
      name="testimony"
      id="testimony"
      className={`field ${css.step}`}
      error={error}
      ref={ref}
      rows={7}
      defaultValue={value}
      onChange={(event) => saveDraft(ticketId, DRAFT, event.currentTarget.value)}
    />
  )
}

const LAST_STEP = 3
const STEP_MS = 1000

function useOpenSteps(isMatched: boolean, isOpenAtFirst: boolean) {
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
  data<WriteAnswer>({ ok: false, isMatched: false, error }, { status })

export async function sendTestimony<Sent>(form: FormData, send: () => Promise<Sent>) {
  const isWriting = form.get('intent') === 'write'
  // The browser checks this, because the server refuses a very long form without this message.
  if (isWriting && isTooLong(String(form.get('testimony')))) return respondWith(texts.tooLong, 422)
  return send().catch((error: unknown) => {
    if (error instanceof Response) throw error
    if (isRouteErrorResponse(error) && typeof error.data === 'string') {
      return respondWith(error.data, error.status)
    }
    return respondWith(isWriting ? undefined : texts.notReached, 503)
  })
}
