/** The owner's page for her second factor: off, being set up, its recovery codes, on. Every step is a form, and works without script. */
import { useEffect, useId, useRef, useState } from 'react'
import { ShieldCheck } from 'lucide-react'
import { Link, useFetcher, type FetcherWithComponents } from 'react-router'
import { PasswordPrompt } from '#app/ui/password-prompt.tsx'
import { dialogAround } from '#app/ui/question.tsx'
import type { SecondFactor, SetUp } from './change-second-factor.server.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { CODE_IS_INVALID, TWO_STEP_OFF, TWO_STEP_ON } from './second-factor.ts'
import { SetUpStep } from './set-up-step.tsx'
import css from './second-factor-page.module.css'

/** What the last form was answered; `intent` says which form an error belongs to. */
export type SecondFactorAnswer = { intent?: string; error?: string; setUp?: SetUp | null; codes?: string[] }
type Props = { state: SecondFactor; answer: SecondFactorAnswer | undefined }
type Form = FetcherWithComponents<SecondFactorAnswer>['Form']

/** What was answered stays until the next answer, though the page's data may be loaded anew at any moment: the codes are shown only once. */
export function SecondFactorPage({ state, answer: given }: Props) {
  const [first, setFirst] = useState(given)
  const fetcher = useFetcher<SecondFactorAnswer>()
  const { Form } = fetcher
  const answer = fetcher.data ?? first ?? {}
  const isPending = fetcher.state !== 'idle'
  const error = isPending ? undefined : answer.error
  const cancel = () => {
    fetcher.reset()
    setFirst(undefined)
  }
  return (
    <main className={`page ${css.page}`} id="main">
      <p className={`${css.up} no-print`}>
        <Link to="/account/">Account</Link>
      </p>
      <h1>Two-step login</h1>
      {answer.codes ? (
        <RecoveryCodes codes={answer.codes} />
      ) : answer.setUp ? (
        <SetUpStep setUp={answer.setUp} {...{ Form, cancel, error, isPending }} />
      ) : state.isOn ? (
        <On codesLeft={state.codesLeft} intent={answer.intent} {...{ Form, cancel, error, isPending }} />
      ) : (
        <Off {...{ Form, cancel, error, isPending }} />
      )}
    </main>
  )
}

type StateProps = { Form: Form; cancel: () => void; intent?: string | undefined; error: string | undefined; isPending: boolean }

function Off({ Form, cancel, error, isPending }: StateProps) {
  return (
    <section className={`card ${css.card}`} aria-labelledby="state">
      <h2 id="state">{TWO_STEP_OFF}</h2>
      <p>
        Whoever knows your password can open the whole shop. With two-step login that takes your phone as well: an app on it, such as Google
        Authenticator, 1Password or Aegis, shows a code that changes every half minute.
      </p>
      <Trouble error={error} />
      <PasswordPrompt label="Set Up" question="Set up two-step login" className="button" isPending={isPending}>
        {(prompt) => (
          <Form method="post" aria-busy={isPending}>
            <input type="hidden" name="intent" value="begin" />
            <Refusal {...{ cancel, error }} />
            {prompt}
          </Form>
        )}
      </PasswordPrompt>
    </section>
  )
}

function On({ Form, cancel, codesLeft, intent, error, isPending }: StateProps & { codesLeft: number }) {
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
          {...{ Form, cancel, isPending, intent: 'codes', label: 'New Recovery Codes', error: intent === 'codes' ? error : undefined }}
          question="Make ten new recovery codes? The older ones will count no more."
        />
        <Act
          {...{ Form, cancel, isPending, intent: 'off', label: 'Turn Off', error: intent === 'off' ? error : undefined }}
          question="Turn two-step login off? Your password alone will open the shop."
        />
      </div>
    </section>
  )
}

type ActProps = {
  Form: Form
  cancel: () => void
  intent: string
  label: string
  question: string
  error: string | undefined
  isPending: boolean
}

/** Both factors are asked for again. */
function Act({ Form, cancel, intent, label, question, error, isPending }: ActProps) {
  const id = useId()
  return (
    <PasswordPrompt {...{ label, question, isPending }}>
      {(prompt) => (
        <Form method="post" aria-busy={isPending}>
          <input type="hidden" name="intent" value={intent} />
          <Refusal {...{ cancel, error }} />
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

/** In the open dialog: what was refused takes the focus; whoever closes it leaves nothing typed and nothing refused behind. */
function Refusal({ error, cancel }: { error: string | undefined; cancel: () => void }) {
  const place = useRef<HTMLParagraphElement>(null)
  // Focus and dialog are the browser's.
  useEffect(() => {
    const field = error === CODE_IS_INVALID ? 'code' : 'password'
    if (error) place.current?.closest('form')?.querySelector<HTMLInputElement>(`input[name=${field}]`)?.select()
  }, [error])
  useEffect(() => {
    const form = place.current?.closest('form')
    const dialog = form && dialogAround(form)
    if (!dialog) return undefined
    const clean = () => {
      form.reset()
      cancel()
    }
    dialog.addEventListener('close', clean)
    return () => dialog.removeEventListener('close', clean)
  })
  return (
    <p role="alert" className={`error ${css.told}`} ref={place}>
      {error}
    </p>
  )
}

/** On the page as well: without script the dialog is closed again. */
const Trouble = ({ error }: { error: string | undefined }) => (error ? <p className={css.trouble}>{error}</p> : null)
