import { Form, useActionData, useNavigation } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { AskForm, HiddenFields } from '#app/ui/form-fields.tsx'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { momentText } from '#app/ui/moments.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { stateNames, triesText, type OutboxLetter, type OutboxView } from './outbox.ts'
import css from './outbox-page.module.css'

type Props = { outbox: OutboxView; timeZone: string }

export function OutboxPage({ outbox: { hasServer, letters, sent }, timeZone }: Props) {
  useAnswerToasts(useActionData<Answer>())
  return (
    <main className="page" id="main">
      <h1>Mail</h1>
      <p className="soft">
        Every message of the contact page also comes to you as a letter, and what stays unread becomes a letter to whoever should read it.
        One that cannot be delivered is tried again after growing pauses and waits for you here.
      </p>
      {!hasServer && (
        <p className="notice">
          No mail server is set, so letters are kept as files in the folder <code>outbox</code> beside the shop's data. Whoever runs the
          shop can name a server in <code>SMTP_URL</code>.
        </p>
      )}
      {letters.length === 0 ? (
        <div className="card empty">
          <LooseKnot />
          <p>Nothing waits. Every letter has left.</p>
        </div>
      ) : (
        <ul role="list" className="stack">
          {letters.map((letter) => (
            <LetterCard key={letter.id} letter={letter} timeZone={timeZone} />
          ))}
        </ul>
      )}
      {sent > 0 && <p className="soft">{sent === 1 ? '1 letter has' : `${sent} letters have`} left in the last 30 days.</p>}
    </main>
  )
}

function LetterCard({ letter, timeZone }: { letter: OutboxLetter; timeZone: string }) {
  const navigation = useNavigation()
  const isPending = navigation.formData?.get('id') === letter.id
  const when = (at: number) => momentText(at, timeZone)
  const { id, lossText, subject, toAddress, replyTo, text, createdAt, attempts, nextAttemptAt, lastError, state } = letter
  return (
    <li>
      <article className={`card ${css.letter}`} aria-labelledby={`letter-${id}`} aria-busy={isPending}>
        <p className={`soft small strong ${css.state}`} data-state={state}>
          {stateNames[state]}
        </p>
        <h2 id={`letter-${id}`}>{subject}</h2>
        <dl className={`stack flush ${css.facts}`}>
          <dt>To</dt>
          <dd>{toAddress}</dd>
          {replyTo && (
            <>
              <dt>Answer to</dt>
              <dd>
                <a className="tap" href={`mailto:${encodeURIComponent(replyTo).replace('%40', '@')}`}>
                  {replyTo}
                </a>
              </dd>
            </>
          )}
          <dt>Written</dt>
          <dd>{when(createdAt)}</dd>
          <dt>Tries</dt>
          <dd>
            {triesText(attempts)}
            {state === 'waiting' && `, next ${when(nextAttemptAt)}`}
          </dd>
          {lastError && (
            <>
              <dt>Why</dt>
              <dd>{lastError}</dd>
            </>
          )}
        </dl>
        <details className={`fold ${css.text}`}>
          <summary>Read the letter</summary>
          <p>{text}</p>
        </details>
        <div className={`cluster ${css.acts}`}>
          <Form method="post" preventScrollReset>
            <HiddenFields id={id} />
            <button className="button" name="intent" value="try" aria-disabled={isPending || state === 'under-way'}>
              Try again
            </button>
          </Form>
          <AskForm
            form={Form}
            fields={{ id, intent: 'give-up' }}
            label="Give up"
            question="Give this letter up? It will not be sent."
            isPending={isPending || state === 'under-way'}
          >
            <p>{lossText}</p>
          </AskForm>
        </div>
      </article>
    </li>
  )
}
