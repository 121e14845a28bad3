/** Letters that have not left: to whom, since when, how often tried, why not, and what can be done. */
import { Form, useActionData, useNavigation } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/ask.tsx'
import { BackField } from '#app/ui/back-field.tsx'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { momentText } from '#app/ui/moments.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { givenUpText, stateNames, triesText, type OutboxLetter, type OutboxView } from './outbox.ts'
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
        <p className={css.notice}>
          No mail server is set, so letters are kept as files in the folder <code>outbox</code> beside the shop's data. Whoever runs the
          shop can name a server in <code>SMTP_URL</code>.
        </p>
      )}
      {letters.length === 0 ? (
        <div className={`card ${css.empty}`}>
          <LooseKnot />
          <p>Nothing waits. Every letter has left.</p>
        </div>
      ) : (
        <ul role="list" className={css.letters}>
          {letters.map((letter) => (
            <LetterCard key={letter.id} letter={letter} timeZone={timeZone} />
          ))}
        </ul>
      )}
      {sent > 0 && <p className={`soft ${css.sent}`}>{sent === 1 ? '1 letter has' : `${sent} letters have`} left in the last 30 days.</p>}
    </main>
  )
}

function LetterCard({ letter, timeZone }: { letter: OutboxLetter; timeZone: string }) {
  const navigation = useNavigation()
  const isPending = navigation.formData?.get('id') === letter.id
  const when = (at: number) => momentText(at, timeZone)
  const { id, kind, subject, toAddress, replyTo, text, createdAt, attempts, nextAttemptAt, lastError, state } = letter
  const hidden = (
    <>
      <BackField />
      <input type="hidden" name="id" value={id} />
    </>
  )
  return (
    <li>
      <article className={`card ${css.letter}`} aria-labelledby={`letter-${id}`} aria-busy={isPending}>
        <p className={css.state} data-state={state}>
          {stateNames[state]}
        </p>
        <h2 id={`letter-${id}`}>{subject}</h2>
        <dl className={css.facts}>
          <dt>To</dt>
          <dd>{toAddress}</dd>
          {replyTo && (
            <>
              <dt>Answer to</dt>
              <dd>
                <a href={`mailto:${encodeURIComponent(replyTo).replace('%40', '@')}`}>{replyTo}</a>
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
        <details className={css.text}>
          <summary>Read the letter</summary>
          <p>{text}</p>
        </details>
        <div className={css.acts}>
          <Form method="post" preventScrollReset>
            {hidden}
            <button className="button" name="intent" value="try" aria-disabled={isPending || state === 'under-way'}>
              Try again
            </button>
          </Form>
          <Ask label="Give up" question="Give this letter up? It will not be sent." isPending={isPending || state === 'under-way'}>
            {(yesNo) => (
              <Form method="post" preventScrollReset>
                {hidden}
                <input type="hidden" name="intent" value="give-up" />
                <p>{givenUpText(kind)}</p>
                {yesNo}
              </Form>
            )}
          </Ask>
        </div>
      </article>
    </li>
  )
}
