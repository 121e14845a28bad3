import {
  channelName,
  type PopupMessage,
  type OAuthFailure,
  type Purpose,
  type FailureReason,
} from './oauth.ts'
import { providerHelpTexts, providerTexts } from './texts.ts'
import { useEffect, useState } from 'react'
import { useNavigation, useRevalidator, useSearchParams } from 'react-router'
import type { ProviderChoice } from '#lib/auth/oauth-providers.server.ts'
import css from './sign-in-with.module.css'

type Popup = { id: string; opened: Window }

const WIDTH = 500
const HEIGHT = 650
/** Browsers do not report that a popup was closed. */
const POLL_MS = 400

/**
 * Browsers allow a popup only during a click. Returns null if the provider must open in this
 * window, because the window is narrow or the browser blocks popups.
 */
function openPopup(form: HTMLFormElement) {
  const field = form.elements.namedItem('popup') as HTMLInputElement
  field.value = ''
  form.target = ''
  if (!window.matchMedia('(min-width: 48.0625em)').matches || !('BroadcastChannel' in window)) {
    return null
  }
  const id = crypto.randomUUID()
  const left = window.screenX + (window.outerWidth - WIDTH) / 2
  const top = window.screenY + (window.outerHeight - HEIGHT) / 2
  const opened = window.open(
    '',
    id,
    `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`,
  )
  if (!opened) return null
  field.value = id
  form.target = id
  return { id, opened }
}

type SignInWithProps = {
  provider: ProviderChoice
  purpose?: Purpose
  failed?: OAuthFailure | null
  label?: string
}

export function SignInWith({
  provider: { id, name },
  purpose = 'login',
  failed = null,
  label = providerTexts.logIn(name),
}: SignInWithProps) {
  const { popup, setPopup, reason, setReason } = useProviderPopup(
    failed?.provider === id ? failed.reason : null,
  )
  const navigation = useNavigation()
  const search = useSearchParams()[0].toString()
  const isShown = reason !== null && navigation.state === 'idle'
  const help = reason ? providerHelpTexts[reason](name) : ''
  return (
    <form
      method="post"
      action={`/login/${id}`}
      className={css.form}
      onSubmit={(event) => {
        popup?.opened.focus()
        if (popup && !popup.opened.closed) return event.preventDefault()
        setReason(null)
        setPopup(openPopup(event.currentTarget))
      }}
    >
      <input
        type="hidden"
        name="purpose"
        value={purpose}
      />
      <input
        type="hidden"
        name="popup"
      />
      <input
        type="hidden"
        name="search"
        value={search}
      />
      <div role="alert">
        {isShown && (
          <div className={css.failed}>
            <p className={`font-semibold m-0 ${css.error}`}>{providerTexts.error}</p>
            {help && <p className={css.help}>{help}</p>}
          </div>
        )}
      </div>
      <button
        className="button quiet w-full"
        aria-busy={popup !== null && reason === null}
        autoFocus={failed?.provider === id}
      >
        {id === 'google' && <GoogleMark />}
        {label}
      </button>
    </form>
  )
}

function useProviderPopup(firstReason: FailureReason | null) {
  const [popup, setPopup] = useState<Popup | null>(null)
  const [reason, setReason] = useState(firstReason)
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!popup) return undefined
    const channel = new BroadcastChannel(channelName(popup.id))
    channel.onmessage = ({ data: message }: MessageEvent<PopupMessage>) => {
      // Stops the interval now, because React would stop it only after it has rendered.
      clearInterval(clock)
      popup.opened.close()
      setPopup(null)
      if (message.ok) window.location.assign(message.to)
      else setReason(message.reason)
    }
    const clock = setInterval(() => {
      if (!popup.opened.closed) return
      clearInterval(clock)
      // Some providers isolate the popup, which then looks closed although the login may succeed.
      void revalidate()
      setReason('cancelled')
    }, POLL_MS)
    return () => {
      clearInterval(clock)
      channel.close()
    }
  }, [popup, revalidate])
  return { popup, setPopup, reason, setReason }
}

const GoogleMark = () => (
  <svg
    width="20"
    height="20"
    viewBox="0 0 48 48"
    aria-hidden="true"
  >
    <path
      fill="#4285F4"
      d="M45.1 24.5c0-1.6-.1-3.1-.4-4.5H24v8.5h11.8a10.1 10.1 0 0 1-4.4 6.6v5.5h7.1c4.2-3.8 6.6-9.5 6.6-16.1z"
    />
    <path
      fill="#34A853"
      d="M24 46c5.9 0 10.9-2 14.5-5.4l-7.1-5.5a13.3 13.3 0 0 1-19.8-7H4.3v5.7A22 22 0 0 0 24 46z"
    />
    <path
      fill="#FBBC05"
      d="M11.6 28.1a13.2 13.2 0 0 1 0-8.4V14H4.3a22 22 0 0 0 0 19.8z"
    />
    <path
      fill="#EA4335"
      d="M24 10.8c3.2 0 6.1 1.1 8.4 3.3l6.3-6.3A22 22 0 0 0 4.3 14l7.3 5.7A13.1 13.1 0 0 1 24 10.8z"
    />
  </svg>
)
