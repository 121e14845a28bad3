/** The owner’s page of two-step login: off, being set up, on, and the recovery codes that are shown once. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useFetcher, type FetcherWithComponents } from 'react-router'
import { inFours } from '#app/platform/readable-codes.ts'
import { useHasScript } from '#app/ui/back-field.tsx'
import { Field } from '#app/ui/form-fields.tsx'
import { QrCode } from '#app/ui/qr-code.tsx'
import type { SetUp, SecondFactor, SecondFactorAnswer } from './two-factor.server.ts'
import css from './second-factor-page.module.css'
import { Check, Copy, Printer, ShieldCheck } from '#app/ui/icons.tsx'
import { DialogError, PasswordPrompt } from '#app/ui/password-prompt.tsx'
import { CODE_IS_INVALID, TWO_STEP_OFF, TWO_STEP_ON } from './two-factor.ts'

function SetUpStep({ setUp: { key, qr }, Form, cancel, answer: { error }, isPending }: Shared & { setUp: SetUp }) {
  const code = useRef<HTMLInputElement>(null)
  // The focus is the browser's: a wrong code is typed anew (S-203).
  useEffect(() => {
    if (error) code.current?.select()
  }, [error])
  return (
    <section className={`card ${css.card}`} aria-labelledby="set-up">
      <h2 id="set-up">Set up your app</h2>
      <div className={`stack gap-below ${css.setUp}`}>
        <QrCode className={css.qr} drawing={qr} label="QR code for your app" width={220} />
        <ol className={`flush ${css.steps}`}>
          <li>Open the app on your phone and let it scan this picture.</li>
          <li>
            On this very phone, or without a camera: type this key into it.
            <code className={css.key}>{inFours(key, ' ')}</code>
          </li>
          <li>Type the six digits that it shows now. Nothing is turned on before.</li>
        </ol>
      </div>
      <Form method="post" aria-busy={isPending}>
        <input type="hidden" name="intent" value="confirm" />
        <input type="hidden" name="key" value={key} />
        <p role="alert" className={css.trouble}>
          {error}
        </p>
        <Field label="Code" name="code" id="code">
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
          <button className="button" aria-disabled={isPending} aria-busy={isPending}>
            Turn On
          </button>
          <Link className="button quiet" to="/account/second-factor/" onClick={cancel}>
            Cancel
          </Link>
        </div>
      </Form>
    </section>
  )
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  // Only a browser with script can copy and print by a button.
  const hasScript = useHasScript()
  const heading = useRef<HTMLHeadingElement>(null)
  // The focus is the browser's: the button that led here is gone, and the codes must not be passed over.
  useEffect(() => heading.current?.focus(), [])
  const [isCopied, setCopied] = useState(false)
  return (
    <section className={`card ${css.card} ${css.codes}`} aria-labelledby="codes">
      <h2 id="codes" className={css.heading} ref={heading} tabIndex={-1}>
        Keep your recovery codes
      </h2>
      <p>
        Without your phone, each of these codes lets you log in once. Print them or write them down, and keep them where only you find them.{' '}
        <strong>They are shown only now.</strong>
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
              onClick={() => void navigator.clipboard?.writeText(codes.join('\n')).then(() => setCopied(true))}
            >
              {isCopied ? <Check size={20} aria-hidden="true" /> : <Copy size={20} aria-hidden="true" />}
              {isCopied ? 'Copied' : 'Copy'}
            </button>
            <button type="button" className="button quiet" onClick={() => window.print()}>
              <Printer size={20} aria-hidden="true" />
              Print
            </button>
          </>
        )}
        <Link className="button" to="/account/">
          I Have Kept Them
        </Link>
      </div>
    </section>
  )
}

type Props = { state: SecondFactor; answer: SecondFactorAnswer | undefined }

/** What was answered stays until the next answer, though the page's data may be loaded anew at any moment: the codes are shown only once. */
export function SecondFactorPage({ state, answer: given }: Props) {
  const [first, setFirst] = useState(given)
  const { Form, data, state: sending, reset } = useFetcher<SecondFactorAnswer>()
  const isPending = sending !== 'idle'
  const answer = data ?? first ?? {}
  const cancel = useCallback(() => {
    reset()
    setFirst(undefined)
  }, [reset])
  const shared = { Form, cancel, isPending, answer: isPending ? { ...answer, error: undefined } : answer }
  return (
    <main className={`page ${css.page}`} id="main">
      <p className={`flush ${css.up} no-print`}>
        <Link to="/account/">Account</Link>
      </p>
      <h1>Two-step login</h1>
      {answer.codes ? (
        <RecoveryCodes codes={answer.codes} />
      ) : answer.setUp ? (
        <SetUpStep setUp={answer.setUp} {...shared} />
      ) : (
        <section className={`card ${css.card}`} aria-labelledby="state">
          {state.isOn ? <On codesLeft={state.codesLeft} {...shared} /> : <Off {...shared} />}
        </section>
      )}
    </main>
  )
}

type Shared = {
  Form: FetcherWithComponents<SecondFactorAnswer>['Form']
  cancel: () => void
  answer: { intent?: string | undefined; error?: string | undefined }
  isPending: boolean
}

const Off = (shared: Shared) => (
  <>
    <h2 id="state">{TWO_STEP_OFF}</h2>
    <p>
      Whoever knows your password can open the whole shop. With two-step login that takes your phone as well: an app on it, such as Google
      Authenticator, 1Password or Aegis, shows a code that changes every half minute.
    </p>
    <Trouble error={shared.answer.error} />
    <Act {...shared} intent="begin" label="Set Up" question="Set up two-step login" className="button" />
  </>
)

function On({ codesLeft, ...shared }: Shared & { codesLeft: number }) {
  const left = codesLeft === 1 ? '1 recovery code is left' : `${codesLeft === 0 ? 'No' : codesLeft} recovery codes are left`
  return (
    <>
      <h2 id="state" className={`row ${css.on}`}>
        <ShieldCheck size={24} aria-hidden="true" />
        {TWO_STEP_ON}
      </h2>
      <p>Logging in asks for your password, and then for a code of your app or one of your recovery codes.</p>
      <p className={codesLeft < 3 ? css.few : undefined}>{`${left}. Each of them counts once.`}</p>
      <Trouble error={shared.answer.error} />
      <div className={`wrap ${css.choices}`}>
        <Act
          {...shared}
          intent="codes"
          label="New Recovery Codes"
          question="Make ten new recovery codes? The older ones will count no more."
        />
        <Act {...shared} intent="off" label="Turn Off" question="Turn two-step login off? Your password alone will open the shop." />
      </div>
    </>
  )
}

type ActProps = Shared & { intent: string; label: string; question: string; className?: string }

/** Once it is on, both factors are asked for again. */
function Act({ Form, cancel, answer, isPending, intent, ...prompt }: ActProps) {
  const error = answer.intent === intent ? answer.error : undefined
  const field = error === CODE_IS_INVALID ? 'code' : 'password'
  return (
    <PasswordPrompt {...prompt} isPending={isPending}>
      {(password) => (
        <Form method="post" aria-busy={isPending}>
          <input type="hidden" name="intent" value={intent} />
          <DialogError error={error} field={field} className={css.told} onClose={cancel} />
          {intent !== 'begin' && (
            <Field label="Code of your app, or a recovery code" name="code">
              {(tied) => <input {...tied} autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} required />}
            </Field>
          )}
          {password}
        </Form>
      )}
    </PasswordPrompt>
  )
}

/** On the page as well: without script the dialog is closed again. */
const Trouble = ({ error }: { error: string | undefined }) => (error ? <p className={css.trouble}>{error}</p> : null)
