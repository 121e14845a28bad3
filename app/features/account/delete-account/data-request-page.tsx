/** The page on which the owner downloads or deletes a customer's data at the customer's request. [S-225] */
import { useEffect, useState } from 'react'
import { Form, Link, useFetchers } from 'react-router'
import type { ReauthMethod } from '#app/features/auth/reauthenticate.server.ts'
import { ReauthenticatedForm, DeletionSummary } from '#app/features/account/account-section.tsx'
import { customerDataTexts as texts } from '#app/features/account/texts.ts'
import { formatDate } from '#app/ui/format-date.ts'
import { closeDialogAfterSubmit, PasswordPrompt } from '#app/ui/password-prompt.tsx'
import css from './data-request-page.module.css'
import type { DataRequest } from './delete-account.ts'

const PAGE_URL = '/manage/customer-data'
type Props = { request: DataRequest; reauthMethod: ReauthMethod; timeZone: string }

export function DataRequestPage({ request, reauthMethod, timeZone }: Props) {
  const { email, found, refusal } = useRequestUntilAnswered(request)
  return (
    <main
      className="page"
      id="main"
    >
      <Link
        className="tap"
        to="/manage/settings/"
      >
        {texts.settings}
      </Link>
      <h1>{texts.title}</h1>
      <p className="soft">{texts.intro}</p>
      <Form
        className={`cluster gap-below ${css.search}`}
        role="search"
        action={`${PAGE_URL}/`}
      >
        <div className="field">
          <label htmlFor="customer-email">{texts.email}</label>
          <input
            className="input"
            id="customer-email"
            name="email"
            type="search"
            inputMode="email"
            defaultValue={email}
            key={email}
            autoComplete="off"
            required
          />
        </div>
        <button className="button">{texts.find}</button>
      </Form>
      {refusal && <p role="status">{refusal}</p>}
      {found && (
        <Customer
          found={found}
          reauthMethod={reauthMethod}
          timeZone={timeZone}
        />
      )}
    </main>
  )
}

/** A live update can remove a deleted account from the page's data before the response to the deletion arrives. This hook keeps the account until the page has shown the response. */
function useRequestUntilAnswered(request: DataRequest): DataRequest {
  const [shown, setShown] = useState(request)
  const isAsking = useFetchers().some(({ formAction }) => formAction === PAGE_URL)
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the account must stay for one more render, because the form shows its response in its own effect
    if (!isAsking) setShown(request)
  }, [isAsking, request])
  return shown
}

type CustomerProps = Omit<Props, 'request'> & { found: NonNullable<DataRequest['found']> }

function Customer({ found, reauthMethod, timeZone }: CustomerProps) {
  const { id, name, email, since, belongings } = found
  const back = `${PAGE_URL}/?email=${encodeURIComponent(email)}`
  return (
    <article
      className={`card ${css.customer}`}
      aria-labelledby="customer-name"
    >
      <h2 id="customer-name">{name || email}</h2>
      <p className="soft">{texts.since(formatDate(since, timeZone), name && email)}</p>
      <div className="wrap">
        <PasswordPrompt
          label={texts.download}
          question={texts.downloadQuestion}
        >
          {(prompt) => (
            // The browser itself sends this form, saves the response as a file, and stays on the page.
            <form
              method="post"
              action={`${PAGE_URL}/file`}
              onSubmit={closeDialogAfterSubmit}
            >
              <input
                type="hidden"
                name="back"
                value={back}
              />
              <input
                type="hidden"
                name="id"
                value={id}
              />
              {prompt}
            </form>
          )}
        </PasswordPrompt>
        <ReauthenticatedForm
          label={texts.deleteAccount}
          question={texts.deleteQuestion(name || email)}
          className="button danger"
          action={PAGE_URL}
          reauthMethod={reauthMethod}
          passwordLabel={texts.yourPassword}
        >
          <input
            type="hidden"
            name="intent"
            value="delete"
          />
          <input
            type="hidden"
            name="id"
            value={id}
          />
          <DeletionSummary
            belongings={belongings}
            whose="their"
          />
        </ReauthenticatedForm>
      </div>
    </article>
  )
}
