/** The owner's page for her second factor: off, being set up, its recovery codes, on. Every step is a form, and works without script. */
import { useId } from 'react'
import { ShieldCheck } from 'lucide-react'
import { Form, Link, useNavigation } from 'react-router'
import { PasswordPrompt } from '#app/ui/password-prompt.tsx'
import type { SecondFactor, SetUp } from './change-second-factor.server.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TWO_STEP_OFF, TWO_STEP_ON } from './second-factor.ts'
import { SetUpStep } from './set-up-step.tsx'
import css from './second-factor-page.module.css'

/** What the last form was answered; `intent` says which form an error belongs to. */
export type SecondFactorAnswer = { intent?: string; error?: string; said?: string; setUp?: SetUp | null; codes?: string[] }
type Props = { state: SecondFactor; answer: SecondFactorAnswer | undefined }

/** `answer` stays until the next one, though the page's data may be loaded anew at any moment (S-242): the codes are shown only once. */
export function SecondFactorPage({ state, answer = {} }: Props) {
  const isPending = useNavigation().formAction?.startsWith('/account/second-factor') ?? false
  const error = isPending ? undefined : answer.error
  return (
    <main className={`page ${css.page}`} id="main">
      <p className={`${css.up} no-print`}>
        <Link to="/account/">Account</Link>
      </p>
      <h1>Two-step login</h1>
      {answer.codes ? (
        <RecoveryCodes codes={answer.codes} />
      ) : answer.setUp ? (
        <SetUpStep setUp={answer.setUp} {...{ error, isPending }} />
      ) : state.isOn ? (
        <On codesLeft={state.codesLeft} intent={answer.intent} {...{ error, isPending }} />
      ) : (
        <Off {...{ error, isPending }} />
      )}
    </main>
  )
}

type StateProps = { intent?: string | undefined; error: string | undefined; isPending: boolean }

function Off({ error, isPending }: StateProps) {
  return (
    <section className={`card ${css.card}`} aria-labelledby="state">
      <h2 id="state">{TWO_STEP_OFF}</h2>
      <p>
        Whoever knows your password can open the whole shop. With two-step login that takes your phone as well: an app on it, such as Google
        Authenticator, 1Password or Aegis, shows a code that changes every half minute.
      </p>
      <Trouble error={error} />
      <PasswordPrompt label="Set Up" question="Set up two-step login" className="button">
        {(prompt) => (
          <Form method="post" preventScrollReset aria-busy={isPending}>
            <input type="hidden" name="intent" value="begin" />
            <Refusal error={error} />
            {prompt}
          </Form>
        )}
      </PasswordPrompt>
    </section>
  )
}

function On({ codesLeft, intent, error, isPending }: StateProps & { codesLeft: number }) {
  const left = codesLeft === 1 ? '1 recovery code is left' : `${codesLeft === 0 ? 'No' : codesLeft} recovery codes are left`
  return (
    <section className={`card ${css.card}`} aria-labelledby="state">
      <h2 id="state" className={css.on}>
        <ShieldCheck size={24} aria-hidden="true" />
        {TWO_STEP_ON}
      </h2>
      <p>Logging in asks for your password, and then for a code of your app or one of your recovery codes.</p>
      <p className={codesLeft < 3 ? css.few : undefined}>{`${left}. Each of them counts once.`}</p>
      <Trouble error={error} />
      <div className={css.choices}>
        <Act
          {...{ isPending, intent: 'codes', label: 'New Recovery Codes', error: intent === 'codes' ? error : undefined }}
          question="Make ten new recovery codes? The older ones will count no more."
        />
        <Act
          {...{ isPending, intent: 'off', label: 'Turn Off', error: intent === 'off' ? error : undefined }}
          question="Turn two-step login off? Your password alone will open the shop."
        />
      </div>
    </section>
  )
}

type ActProps = { intent: string; label: string; question: string; error: string | undefined; isPending: boolean }

/** Both factors are asked for again. */
function Act({ intent, label, question, error, isPending }: ActProps) {
  const id = useId()
  return (
    <PasswordPrompt label={label} question={question}>
      {(prompt) => (
        <Form method="post" preventScrollReset aria-busy={isPending}>
          <input type="hidden" name="intent" value={intent} />
          <Refusal error={error} />
          <div className="field">
            <label htmlFor={id}>Code of your app, or a recovery code</label>
            <input className="input" id={id} name="code" autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} required />
          </div>
          {prompt}
        </Form>
      )}
    </PasswordPrompt>
  )
}

/** In the open dialog. */
const Refusal = ({ error }: { error: string | undefined }) => (
  <p role="alert" className="error">
    {error}
  </p>
)

/** On the page as well: without script the dialog is closed again. */
const Trouble = ({ error }: { error: string | undefined }) => (error ? <p className={css.trouble}>{error}</p> : null)
