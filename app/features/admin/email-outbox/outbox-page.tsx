import { useState } from 'react'
import { Form, useActionData, useNavigation } from 'react-router'
import type { ReauthMethod } from '#app/features/auth/reauthenticate.server.ts'
import { ConfirmForm, HiddenFields } from '#app/ui/form-fields.tsx'
import { LooseKnot } from '#app/ui/cord-drawing.tsx'
import { formatDateTime } from '#app/ui/format-date-time.ts'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { MailboxForm } from './mailbox-form.tsx'
import type { MailboxAnswer, OutboxEmail, OutboxView } from './outbox.ts'
import { outboxTexts as texts } from './texts.ts'
import css from './outbox-page.module.css'

type Props = { outbox: OutboxView; reauthMethod: ReauthMethod; timeZone: string }

export function OutboxPage({
  outbox: { hasServer, canSend, mailbox, emails, sent, written },
  reauthMethod,
  timeZone,
}: Props) {
  const answer = usePersistentActionData(useActionData<MailboxAnswer>())
  useActionToasts(answer)
  // The form stays in its place while the page is open, because React would render a new, empty form in the other place. [S-475]
  const [isFormFirst] = useState(!canSend)
  const mailboxForm = <MailboxForm {...{ mailbox, hasServer, answer, reauthMethod }} />
  return (
    <main
      className={`page ${css.outbox}`}
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="soft">{texts.intro}</p>
      {!canSend && <p className="notice">{hasServer ? texts.failing : texts.noMailServer}</p>}
      {isFormFirst && mailboxForm}
      {emails.length === 0 ? (
        <div className="card empty gap-below">
          <LooseKnot />
          <p>{canSend ? texts.allSent : texts.empty}</p>
        </div>
      ) : (
        <ul
          role="list"
          className="stack"
        >
          {emails.map((email) => (
            <EmailCard
              key={email.id}
              email={email}
              timeZone={timeZone}
            />
          ))}
        </ul>
      )}
      {sent > 0 && <p className="soft">{texts.sent(sent)}</p>}
      {written > 0 && <p className="soft">{texts.written(written)}</p>}
      {!isFormFirst && mailboxForm}
    </main>
  )
}

function EmailCard({ email, timeZone }: { email: OutboxEmail; timeZone: string }) {
  const navigation = useNavigation()
  const isPending = navigation.formData?.get('id') === email.id
  const when = (at: number) => formatDateTime(at, timeZone)
  const {
    id,
    lossText,
    subject,
    toAddress,
    replyTo,
    text,
    createdAt,
    attempts,
    nextAttemptAt,
    lastError,
    state,
  } = email
  return (
    <li>
      <article
        className={`card ${css.email}`}
        aria-labelledby={`email-${id}`}
        aria-busy={isPending}
      >
        <p
          className={`soft small strong ${css.state}`}
          data-state={state}
        >
          {texts.states[state]}
        </p>
        <h2 id={`email-${id}`}>{subject}</h2>
        <dl className={`stack flush ${css.facts}`}>
          <dt>{texts.to}</dt>
          <dd>{toAddress}</dd>
          {replyTo && (
            <>
              <dt>{texts.answerTo}</dt>
              <dd>
                <a
                  className="tap"
                  href={`mailto:${encodeURIComponent(replyTo).replace('%40', '@')}`}
                >
                  {replyTo}
                </a>
              </dd>
            </>
          )}
          <dt>{texts.writtenAt}</dt>
          <dd>{when(createdAt)}</dd>
          <dt>{texts.attempts}</dt>
          <dd>
            {texts.attemptCount(attempts)}
            {state === 'waiting' && texts.nextAttempt(when(nextAttemptAt))}
          </dd>
          {lastError && (
            <>
              <dt>{texts.error}</dt>
              <dd>{lastError}</dd>
            </>
          )}
        </dl>
        <details className={`fold ${css.text}`}>
          <summary>{texts.read}</summary>
          <p>{text}</p>
        </details>
        <div className={`cluster ${css.acts}`}>
          <Form
            method="post"
            preventScrollReset
          >
            <HiddenFields id={id} />
            <button
              className="button"
              name="intent"
              value="try"
              aria-disabled={isPending || state === 'under-way'}
            >
              {texts.tryAgain}
            </button>
          </Form>
          <ConfirmForm
            form={Form}
            fields={{ id, intent: 'give-up' }}
            label={texts.cancel}
            question={texts.cancelQuestion}
            isPending={isPending || state === 'under-way'}
          >
            <p>{lossText}</p>
          </ConfirmForm>
        </div>
      </article>
    </li>
  )
}
