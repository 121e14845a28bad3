/** For the owner: a customer's data as a file, or their account deleted, at their request (S-225). */
import { useEffect, useState } from 'react'
import { Form, Link, useFetchers } from 'react-router'
import type { ProofWay } from '#app/features/auth/auth-texts.ts'
import { ProvenAct, WhatGoes } from '#app/features/account/account-section.tsx'
import { formatDate } from '#app/ui/dates.ts'
import { closeAfterwards, PasswordPrompt } from '#app/ui/password-prompt.tsx'
import css from './data-request-page.module.css'
import type { DataRequest } from './delete-account.ts'

const PAGE = '/manage/customer-data'
type Props = { request: DataRequest; proof: ProofWay; timeZone: string }

export function DataRequestPage({ request, proof, timeZone }: Props) {
  const { email, found, refusal } = useUntilAnswered(request)
  return (
    <main className="page" id="main">
      <p className={`flush ${css.up}`}>
        <Link to="/manage/settings/">Settings</Link>
      </p>
      <h1>Customer data</h1>
      <p className="soft">
        Customers take their data along, or delete their account, on their own account page. This is for those who cannot and ask you. Make
        sure first that it is them: let them write from the address of the account.
      </p>
      <Form className={`cluster gap-below ${css.search}`} role="search" action={`${PAGE}/`}>
        <div className="field">
          <label htmlFor="customer-email">Email of the account</label>
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
        <button className="button">Find</button>
      </Form>
      {refusal && <p role="status">{refusal}</p>}
      {found && <Customer found={found} proof={proof} timeZone={timeZone} />}
    </main>
  )
}

/** Of an account that is being deleted the page hears before its form is answered: it stays until that answer has been told. */
function useUntilAnswered(request: DataRequest): DataRequest {
  const [shown, setShown] = useState(request)
  const isAsking = useFetchers().some(({ formAction }) => formAction === PAGE)
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- one commit later, since the form tells its answer in an effect of its own
    if (!isAsking) setShown(request)
  }, [isAsking, request])
  return shown
}

function Customer({ found, proof, timeZone }: Pick<Props, 'proof' | 'timeZone'> & { found: NonNullable<DataRequest['found']> }) {
  const { id, name, email, since, belongings } = found
  const back = `${PAGE}/?email=${encodeURIComponent(email)}`
  return (
    <article className={`card ${css.customer}`} aria-labelledby="customer-name">
      <h2 id="customer-name">{name || email}</h2>
      <p className="soft">
        {name && `${email}. `}Here since {formatDate(since, timeZone)}.
      </p>
      <div className="wrap">
        <PasswordPrompt label="Download their data" question="Your password, before their data leave the house">
          {(prompt) => (
            // A document's own form: the browser saves the answer as a file and stays where it is.
            <form method="post" action={`${PAGE}/file`} onSubmit={closeAfterwards}>
              <input type="hidden" name="back" value={back} />
              <input type="hidden" name="id" value={id} />
              {prompt}
            </form>
          )}
        </PasswordPrompt>
        <ProvenAct
          label="Delete this account"
          question={`Delete the account of ${name || email} for good?`}
          className="button danger"
          action={PAGE}
          proof={proof}
          passwordLabel="Your password"
        >
          <input type="hidden" name="intent" value="delete" />
          <input type="hidden" name="id" value={id} />
          <WhatGoes belongings={belongings} whose="their" />
        </ProvenAct>
      </div>
    </article>
  )
}
