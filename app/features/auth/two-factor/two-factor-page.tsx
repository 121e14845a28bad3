import { useEffect, useRef, useState } from 'react'
import { type FormState, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { Link } from 'react-router'
import { groupByFour } from '#lib/auth/human-readable-codes.ts'
import { useHydrated } from '#ui/redirect-field.tsx'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import { HiddenInputs, InputField } from '#ui/form-fields.tsx'
import { QrCode } from '#ui/qr-code.tsx'
import type { SetUp, TwoFactorState, TwoFactorResult } from './two-factor.server.ts'
import css from './two-factor-page.module.css'
import { Check, Copy, Printer, ShieldCheck } from '#ui/icons.tsx'
import type { DialogButtonProps } from '#ui/dialog-button.tsx'
import { DialogError, PasswordPrompt } from '#ui/password-prompt.tsx'
import { recoveryCodesTexts, twoFactorSetUpTexts, twoFactorTexts as texts } from './texts.ts'

function SetUpStep({
  setUp: { key, qr },
  Form,
  cancel,
  answer,
  isPending,
}: StepProps & { setUp: SetUp }) {
  const error = answer?.error
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (error) code.current?.select()
  }, [error])
  return (
    <section
      className={`card ${css.card}`}
      aria-labelledby="set-up"
    >
      <h2 id="set-up">{twoFactorSetUpTexts.title}</h2>
      <div className={`grid gap-4 mb-5 ${css.setUp}`}>
        <QrCode
          className={css.qr}
          drawing={qr}
          label={twoFactorSetUpTexts.qrCode}
          width={220}
        />
        <ol className={`m-0 ${css.steps}`}>
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
        <HiddenInputs intent="confirm" />
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
        <InputField
          label={twoFactorSetUpTexts.code}
          name="code"
          id="code"
          controlClassName={`input tabular-nums ${css.code}`}
          ref={code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          required
          aria-invalid={error ? true : undefined}
        />
        <div className={`flex flex-wrap gap-3 ${css.choices}`}>
          <SubmitButton isPending={isPending}>{twoFactorSetUpTexts.turnOn}</SubmitButton>
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
  const hasScript = useHydrated()
  const heading = useRef<HTMLHeadingElement>(null)
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
      <ul className={`grid gap-4 ${css.list}`}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={`flex flex-wrap gap-3 ${css.choices} no-print`}>
        {hasScript && (
          <>
            <button
              type="button"
              className="button quiet"
              onClick={() =>
                void navigator.clipboard?.writeText(codes.join('\n')).then(() => setCopied(true))
              }
            >
              {isCopied ? <Check size={20} /> : <Copy size={20} />}
              {isCopied ? recoveryCodesTexts.copied : recoveryCodesTexts.copy}
            </button>
            <button
              type="button"
              className="button quiet"
              onClick={() => window.print()}
            >
              <Printer size={20} />
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

type TwoFactorPageProps = {
  state: TwoFactorState
  answer: TwoFactorResult | undefined
  isOwner: boolean
}

/** The server sends recovery codes only once, so the page shows a result until the next action. */
export function TwoFactorPage({ state, answer: actionData, isOwner }: TwoFactorPageProps) {
  const [firstAnswer, setFirstAnswer] = useState(actionData)
  const form = useActionForm<TwoFactorResult>()
  const { Form, isPending } = form
  const answer = usePersistentActionData(form.answer) ?? firstAnswer
  const cancel = () => {
    form.reset()
    setFirstAnswer(undefined)
  }
  const step = { Form, cancel, isPending, answer: isPending ? undefined : answer }
  return (
    <main
      className={`page ${css.page}`}
      id="main"
    >
      <p className={`m-0 ${css.up} no-print`}>
        <Link to="/account/">{texts.account}</Link>
      </p>
      <h1>{texts.title}</h1>
      {answer?.codes && <RecoveryCodes codes={answer.codes} />}
      {!answer?.codes && answer?.setUp && (
        <SetUpStep
          setUp={answer.setUp}
          {...step}
        />
      )}
      {!answer?.codes && !answer?.setUp && (
        <section
          className={`card ${css.card}`}
          aria-labelledby="state"
        >
          {state.isOn ? (
            <TwoFactorOn
              codesLeft={state.codesLeft}
              {...step}
            />
          ) : (
            <TwoFactorOff
              isOwner={isOwner}
              {...step}
            />
          )}
        </section>
      )}
    </main>
  )
}

type StepProps = Pick<FormState, 'Form' | 'isPending'> & {
  cancel: () => void
  answer: TwoFactorResult | undefined
}

const TwoFactorOff = ({ isOwner, ...step }: StepProps & { isOwner: boolean }) => (
  <>
    <h2 id="state">{texts.off}</h2>
    <p>{texts.offHint(isOwner)}</p>
    <ErrorMessage error={step.answer?.error} />
    <ReauthenticatedAction
      {...step}
      intent="begin"
      label={texts.setUp}
      question={texts.setUpQuestion}
      className="button"
    />
  </>
)

function TwoFactorOn({ codesLeft, ...step }: StepProps & { codesLeft: number }) {
  return (
    <>
      <h2
        id="state"
        className={`flex items-center gap-3 ${css.on}`}
      >
        <ShieldCheck size={24} />
        {texts.on}
      </h2>
      <p>{texts.onHint}</p>
      <p className={codesLeft < 3 ? css.few : undefined}>{texts.codesLeft(codesLeft)}</p>
      <ErrorMessage error={step.answer?.error} />
      <div className={`flex flex-wrap gap-3 ${css.choices}`}>
        <ReauthenticatedAction
          {...step}
          intent="codes"
          label={texts.newCodes}
          question={texts.newCodesQuestion}
        />
        <ReauthenticatedAction
          {...step}
          intent="off"
          label={texts.turnOff}
          question={texts.turnOffQuestion}
        />
      </div>
    </>
  )
}

type ReauthenticatedActionProps = StepProps & DialogButtonProps & { intent: string }

function ReauthenticatedAction({
  Form,
  cancel,
  answer,
  isPending,
  intent,
  ...prompt
}: ReauthenticatedActionProps) {
  const error = answer?.intent === intent ? answer.error : undefined
  const field = answer?.field ?? 'password'
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
          <HiddenInputs intent={intent} />
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
