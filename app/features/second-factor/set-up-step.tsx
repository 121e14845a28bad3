/** Setting up an app: the picture that it reads, or the key to type, and its first code. */
import { useEffect, useRef } from 'react'
import { Link, type FetcherWithComponents } from 'react-router'
import { inFours } from '#app/platform/in-fours.ts'
import { QrCode } from '#app/ui/qr-code.tsx'
import type { SetUp } from './change-second-factor.server.ts'
import css from './second-factor-page.module.css'

type Props = {
  setUp: SetUp
  Form: FetcherWithComponents<unknown>['Form']
  cancel: () => void
  error: string | undefined
  isPending: boolean
}

export function SetUpStep({ setUp: { key, qr }, Form, cancel, error, isPending }: Props) {
  const code = useRef<HTMLInputElement>(null)
  // The focus is the browser's: a wrong code is typed anew (S-203).
  useEffect(() => {
    if (error) code.current?.select()
  }, [error])
  return (
    <section className={`card ${css.card}`} aria-labelledby="set-up">
      <h2 id="set-up">Set up your app</h2>
      <div className={css.setUp}>
        <QrCode className={css.qr} drawing={qr} label="QR code for your app" width={220} />
        <ol className={css.steps}>
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
        <div className="field">
          <label htmlFor="code">Code</label>
          <input
            className={`input ${css.code}`}
            id="code"
            name="code"
            ref={code}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
            required
            aria-invalid={error ? true : undefined}
          />
        </div>
        <div className={css.choices}>
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
