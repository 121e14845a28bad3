import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useFetcher, type FetcherWithComponents } from 'react-router'
import { groupByFour } from '#app/lib/auth/human-readable-codes.ts'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { Field } from '#app/ui/form-fields.tsx'
import { QrCode } from '#app/ui/qr-code.tsx'
import type { SetUp, TwoFactorState, TwoFactorResult } from './two-factor.server.ts'
import css from './two-factor-page.module.css'
import { Check, Copy, Printer, ShieldCheck } from '#app/ui/icons.tsx'
import { DialogError, PasswordPrompt } from '#app/ui/password-prompt.tsx'
import { recoveryCodesTexts, twoFactorSetUpTexts, twoFactorTexts as texts } from './texts.ts'

function SetUpStep({
  setUp: { key, qr },
  Form,
  cancel,
  answer: { error },
  isPending,
}: Shared & { setUp: SetUp }) {
  const code = useRef<HTMLInputElement>(null)
  // Moves the focus to the code that the user must type again. [S-203]
  useEffect(() => {
    if (error) code.current?.select()
  }, [error])
  return (
    <section
      className={`card ${css.card}`}
      aria-labelledby="set-up"
    >
      <h2 id="set-up">{twoFactorSetUpTexts.title}</h2>
      <div className={`stack gap-below ${css.setUp}`}>
        <QrCode
          className={css.qr}
          drawing={qr}
          label={twoFactorSetUpTexts.qrCode}
          width={220}
        />
        <ol className={`flush ${css.steps}`}>
          <li>{twoFactorSetUpTexts.scan}</li>
          <li>
            {twoFactorSetUpTexts.key}
            <code className={css.key}>{groupByFour(key, ' ')}</code>
          </li>
          <li>{twoFactorSetUpTexts.digits}</li>
        </ol>
      </div>
      <Form
        method="post"
        aria-busy={isPending}
      >
        <input
          type="hidden"
          name="intent"
          value="confirm"
        />
        <input
          type="hidden"
          name="key"
          value={key}
        />
        <p
          role="alert"
          className={css.trouble}
        >
          {error}
        </p>
        <Field
          label={twoFactorSetUpTexts.code}
          name="code"
          id="code"
        >
          {(tied) => (
            <input
              {...tied}
              className={`input tabular ${css.code}`}
              ref={code}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
              required
              aria-invalid={error ? true : undefined}
            />
          )}
        </Field>
        <div className={`wrap ${css.choices}`}>
          <button
            className="button"
            aria-disabled={isPending}
            aria-busy={isPending}
          >
            {twoFactorSetUpTexts.turnOn}
          </button>
          <Link
            className="button quiet"
            to="/account/second-factor/"
            onClick={cancel}
          >
            {twoFactorSetUpTexts.cancel}
          </Link>
        </div>
      </Form>
    </section>
  )
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  // The buttons that copy and print the codes need JavaScript.
  const hasScript = useHydrated()
  const heading = useRef<HTMLHeadingElement>(null)
  // Moves the focus to the heading of the recovery codes, because the button that had the focus has disappeared.
  useEffect(() => heading.current?.focus(), [])
  const [isCopied, setCopied] = useState(false)
  return (
    <section
      className={`card ${css.card}`}
      aria-labelledby="codes"
    >
      <h2
        id="codes"
        className={css.heading}
        ref={heading}
        tabIndex={-1}
      >
        {recoveryCodesTexts.title}
      </h2>
      <p>
        {recoveryCodesTexts.hint} <strong>{recoveryCodesTexts.onlyNow}</strong>
      </p>
      <ul className={`stack ${css.list}`}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={`wrap ${css.choices} no-print`}>
        {hasScript && (
          <>
            <button
              type="button"
              className="button quiet"
              onClick={() =>
                void navigator.clipboard?.writeText(codes.join('\n')).then(() => setCopied(true))
              }
            >
              {isCopied ? (
                <Check
                  size={20}
                  aria-hidden="true"
                />
              ) : (
                <Copy
                  size={20}
                  aria-hidden="true"
                />
              )}
              {isCopied ? recoveryCodesTexts.copied : recoveryCodesTexts.copy}
            </button>
            <button
              type="button"
              className="button quiet"
              onClick={() => window.print()}
            >
              <Printer
                size={20}
                aria-hidden="true"
              />
              {recoveryCodesTexts.print}
            </button>
          </>
        )}
        <Link
          className="button"
          to="/account/"
        >
          {recoveryCodesTexts.saved}
        </Link>
      </div>
    </section>
  )
}

type Props = { state: TwoFactorState; answer: TwoFactorResult | undefined; isOwner: boolean }

/** The server sends recovery codes only once. So the page keeps the result of an action until the next action, even if the page's data is loaded again. */
export function TwoFactorPage({ state, answer: given, isOwner }: Props) {
  const [first, setFirst] = useState(given)
  const { Form, data: sent, state: sending, reset } = useFetcher<TwoFactorResult>()
  const data = usePersistentActionData(sent)
  const isPending = sending !== 'idle'
  const answer = data ?? first ?? {}
  const cancel = useCallback(() => {
    reset()
    setFirst(undefined)
  }, [reset])
  const shared = {
    Form,
    cancel,
    isPending,
    answer: isPending ? { ...answer, error: undefined } : answer,
  }
  return (
    <main
      className={`page ${css.page}`}
      id="main"
    >
      <p className={`flush ${css.up} no-print`}>
        <Link to="/account/">{texts.account}</Link>
      </p>
      <h1>{texts.title}</h1>
      {answer.codes ? (
        <RecoveryCodes codes={answer.codes} />
      ) : answer.setUp ? (
        <SetUpStep
          setUp={answer.setUp}
          {...shared}
        />
      ) : (
        <section
          className={`card ${css.card}`}
          aria-labelledby="state"
        >
          {state.isOn ? (
            <TwoFactorOn
              codesLeft={state.codesLeft}
              {...shared}
            />
          ) : (
            <TwoFactorOff
              isOwner={isOwner}
              {...shared}
            />
          )}
        </section>
      )}
    </main>
  )
}

type Shared = {
  Form: FetcherWithComponents<TwoFactorResult>['Form']
  cancel: () => void
  answer: Pick<TwoFactorResult, 'intent' | 'error' | 'field'>
  isPending: boolean
}

const TwoFactorOff = ({ isOwner, ...shared }: Shared & { isOwner: boolean }) => (
  <>
    <h2 id="state">{texts.off}</h2>
    <p>{texts.offHint(isOwner)}</p>
    <ErrorMessage error={shared.answer.error} />
    <ReauthenticatedAction
      {...shared}
      intent="begin"
      label={texts.setUp}
      question={texts.setUpQuestion}
      className="button"
    />
  </>
)

function TwoFactorOn({ codesLeft, ...shared }: Shared & { codesLeft: number }) {
  return (
    <>
      <h2
        id="state"
        className={`row ${css.on}`}
      >
        <ShieldCheck
          size={24}
          aria-hidden="true"
        />
        {texts.on}
      </h2>
      <p>{texts.onHint}</p>
      <p className={codesLeft < 3 ? css.few : undefined}>{texts.codesLeft(codesLeft)}</p>
      <ErrorMessage error={shared.answer.error} />
      <div className={`wrap ${css.choices}`}>
        <ReauthenticatedAction
          {...shared}
          intent="codes"
          label={texts.newCodes}
          question={texts.newCodesQuestion}
        />
        <ReauthenticatedAction
          {...shared}
          intent="off"
          label={texts.turnOff}
          question={texts.turnOffQuestion}
        />
      </div>
    </>
  )
}

type ActionProps = Shared & { intent: string; label: string; question: string; className?: string }

/** A button that asks for the password again and then sends the action. */
function ReauthenticatedAction({
  Form,
  cancel,
  answer,
  isPending,
  intent,
  ...prompt
}: ActionProps) {
  const error = answer.intent === intent ? answer.error : undefined
  const field = answer.field ?? 'password'
  return (
    <PasswordPrompt
      {...prompt}
      isPending={isPending}
    >
      {(password) => (
        <Form
          method="post"
          aria-busy={isPending}
        >
          <input
            type="hidden"
            name="intent"
            value={intent}
          />
          <DialogError
            error={error}
            field={field}
            className={css.message}
            onClose={cancel}
          />
          {password}
        </Form>
      )}
    </PasswordPrompt>
  )
}

const ErrorMessage = ({ error }: { error: string | undefined }) =>
  error ? <p className={css.trouble}>{error}</p> : null
