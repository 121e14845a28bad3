import { useState } from 'react'
import { useActionData } from 'react-router'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import type { ReauthMethod } from '#auth/reauthenticate.server.ts'
import { ActionForm, type FormState, SubmitButton, usePageForm } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { formatDateTime } from '#ui/format-date-time.ts'
import type { MailboxAnswer, MailView } from './mail.server.ts'
import { MailboxForm } from './mailbox-form.tsx'
import { mailTexts as texts } from './texts.ts'
import css from './mail-page.module.css'

type MailPageProps = { outbox: MailView; reauthMethod: ReauthMethod }

export function MailPage({
  outbox: { hasServer, canSend, mailbox, emails, sent, written },
  reauthMethod,
}: MailPageProps) {
  const form = usePageForm(useActionData<MailboxAnswer>())
  // The form keeps its place while the page is open, because React would empty a moved form.
  const [isFormFirst] = useState(!canSend)
  const mailboxForm = (
    <MailboxForm
      mailbox={mailbox}
      hasServer={hasServer}
      form={form}
      reauthMethod={reauthMethod}
    />
  )
  return (
    <main
      className={`page ${css.outbox}`}
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="text-soft">{texts.intro}</p>
      {!canSend && <p className="notice">{hasServer ? texts.failing : texts.noMailServer}</p>}
      {isFormFirst && mailboxForm}
      {emails.length === 0 ? (
        <div className="card empty mb-5">
          <LooseKnot />
          <p>{canSend ? texts.allSent : texts.empty}</p>
        </div>
      ) : (
        <ul
          role="list"
          className="grid gap-4"
        >
          {emails.map((email) => (
            <EmailCard
              key={email.id}
              email={email}
              form={form}
            />
          ))}
        </ul>
      )}
      {sent > 0 && <p className="text-soft">{texts.sent(sent)}</p>}
      {written > 0 && <p className="text-soft">{texts.written(written)}</p>}
      {!isFormFirst && mailboxForm}
    </main>
  )
}

type EmailCardProps = { email: MailView['emails'][number]; form: FormState }

function EmailCard({ email, form }: EmailCardProps) {
  const { id, lossText, subject, text, state } = email
  const isPending = form.formData?.get('id') === id
  const isBusy = isPending || state === 'under-way'
  return (
    <li>
      <article
        className={`card ${css.email}`}
        aria-labelledby={`email-${id}`}
        aria-busy={isPending}
      >
        <p
          className={`text-soft text-sm font-semibold ${css.state}`}
          data-state={state}
        >
          {texts.states[state]}
        </p>
        <h2 id={`email-${id}`}>{subject}</h2>
        <EmailFacts email={email} />
        <details className={`fold ${css.text}`}>
          <summary>{texts.read}</summary>
          <p>{text}</p>
        </details>
        <div className={`row ${css.acts}`}>
          <ActionForm
            form={form}
            fields={{ intent: 'try', id }}
            aria-busy={isPending}
          >
            <SubmitButton isPending={isBusy}>{texts.tryAgain}</SubmitButton>
          </ActionForm>
          <ConfirmForm
            form={form}
            fields={{ intent: 'give-up', id }}
            label={texts.cancel}
            question={texts.cancelQuestion}
            isPending={isBusy}
          >
            <p>{lossText}</p>
          </ConfirmForm>
        </div>
      </article>
    </li>
  )
}

function EmailFacts({ email }: Pick<EmailCardProps, 'email'>) {
  const timeZone = useShopTimeZone()
  const { toAddress, replyTo, createdAt, attempts, nextAttemptAt, lastError, state } = email
  const formatMoment = (at: number) => formatDateTime(at, timeZone)
  return (
    <dl className={`grid gap-4 m-0 ${css.facts}`}>
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
      <dd>{formatMoment(createdAt)}</dd>
      <dt>{texts.attempts}</dt>
      <dd>
        {texts.attemptCount(attempts)}
        {state === 'waiting' && texts.nextAttempt(formatMoment(nextAttemptAt))}
      </dd>
      {lastError && (
        <>
          <dt>{texts.error}</dt>
          <dd>{lastError}</dd>
        </>
      )}
    </dl>
  )
}
