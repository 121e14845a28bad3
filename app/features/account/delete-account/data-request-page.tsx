import { useEffect, useState } from 'react'
import { Form, Link, useFetchers } from 'react-router'
import { useShopTimeZone } from '#client/use-time-zone.ts'
import type { ReauthMethod } from '#auth/reauthenticate.server.ts'
import { ReauthenticatedForm, DeletionSummary } from '../account-section.tsx'
import { customerDataTexts as texts } from '../texts.ts'
import { useActionForm } from '#ui/action-form.tsx'
import { Check, Copy } from '#ui/icons.tsx'
import type { PasswordLinkResult } from '../password-link.server.ts'
import { formatDate } from '#ui/format-date.ts'
import { PasswordDownload } from '#ui/password-prompt.tsx'
import css from './data-request-page.module.css'
import type { DataRequest } from './delete-account.server.ts'

const PAGE_URL = '/manage/customer-data'
type DataRequestPageProps = { request: DataRequest; reauthMethod: ReauthMethod }

export function DataRequestPage({ request, reauthMethod }: DataRequestPageProps) {
  const { email, customer, refusal } = useRequestUntilAnswered(request)
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
      <p className="text-soft">{texts.intro}</p>
      <Form
        className={`row mb-5 ${css.search}`}
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
      {customer && (
        <Customer
          {...customer}
          reauthMethod={reauthMethod}
        />
      )}
    </main>
  )
}

/**
 * Keeps the account on the page until the form's answer arrives, even if a live update removes it.
 */
function useRequestUntilAnswered(request: DataRequest) {
  const [shownRequest, setShownRequest] = useState(request)
  const isAsking = useFetchers().some(({ formAction }) => formAction === PAGE_URL)
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the account must stay for one more render, because the form shows its response in its own effect
    if (!isAsking) setShownRequest(request)
  }, [isAsking, request])
  return shownRequest
}

const LINK_FORM = 'password-link'

type PasswordLinkProps = Pick<DataRequestPageProps, 'reauthMethod'> & { id: string }

function PasswordLink({ id, reauthMethod }: PasswordLinkProps) {
  const { answer } = useActionForm<PasswordLinkResult>(LINK_FORM)
  const [link, setLink] = useState('')
  if (answer?.link && answer.link !== link) setLink(answer.link)
  return (
    <>
      <ReauthenticatedForm
        label={texts.passwordLink}
        question={texts.passwordLinkQuestion}
        action={PAGE_URL}
        formKey={LINK_FORM}
        reauthMethod={reauthMethod}
        passwordLabel={texts.yourPassword}
        fields={{ intent: 'link', id }}
      />
      {link && <NewLink link={link} />}
    </>
  )
}

function NewLink({ link }: { link: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <div
      className={`notice m-0 ${css.link}`}
      role="status"
    >
      <p>{texts.linkOnce}</p>
      <div className="flex gap-3">
        <input
          className="input"
          aria-label={texts.link}
          value={link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <button
          type="button"
          className="button"
          onClick={() => void navigator.clipboard?.writeText(link).then(() => setCopied(true))}
        >
          {isCopied ? <Check size={20} /> : <Copy size={20} />}
          {isCopied ? texts.copied : texts.copy}
        </button>
      </div>
    </div>
  )
}

type CustomerProps = Omit<DataRequestPageProps, 'request'> & NonNullable<DataRequest['customer']>

function Customer({ id, name, email, since, belongings, reauthMethod }: CustomerProps) {
  const timeZone = useShopTimeZone()
  return (
    <article
      className={`card ${css.customer}`}
      aria-labelledby="customer-name"
    >
      <h2 id="customer-name">{name || email}</h2>
      <p className="text-soft">{texts.since(formatDate(since, timeZone), name && email)}</p>
      <div className="flex flex-wrap gap-3">
        <PasswordDownload
          label={texts.download}
          question={texts.downloadQuestion}
          action={`${PAGE_URL}/file`}
          fields={{ back: `${PAGE_URL}/?email=${encodeURIComponent(email)}`, id }}
        />
        <PasswordLink
          key={id}
          id={id}
          reauthMethod={reauthMethod}
        />
        <ReauthenticatedForm
          label={texts.deleteAccount}
          question={texts.deleteQuestion(name || email)}
          className="button danger"
          action={PAGE_URL}
          reauthMethod={reauthMethod}
          passwordLabel={texts.yourPassword}
          fields={{ intent: 'delete', id }}
        >
          <DeletionSummary
            belongings={belongings}
            whose="their"
          />
        </ReauthenticatedForm>
      </div>
    </article>
  )
}
