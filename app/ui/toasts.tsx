import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import type { Answer } from './answer.ts'
import { closeToast, showToast, toastStore, type Toast } from './toast-store.ts'
import css from './toasts.module.css'

/** TOAST-01, TOAST-03, TOAST-04: milliseconds */
const TOAST_DURATION = 2000

/** `first` are texts that came with the page itself; they show even without script. */
export function Toasts({ first }: { first: readonly string[] }) {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.readOnServer)
  const dialog = useSyncExternalStore(followDialogs, openDialog, noDialog)
  // The texts that the server sent become toasts like any other, once each.
  const shown = useRef<readonly string[]>([])
  useEffect(() => {
    if (shown.current === first) return
    shown.current = first
    for (const text of first) showToast(text)
  }, [first])
  const region = (
    <div className={`stack ${css.region}`} role="status" aria-live="polite">
      <noscript>
        {first.map((text) => (
          <p className={`centered-text strong flush round ${css.toast}`} key={text}>
            {text}
          </p>
        ))}
      </noscript>
      {toasts.map((toast) => (
        <ToastView toast={toast} key={toast.key} />
      ))}
    </div>
  )
  // What is outside an open dialog lies behind it, and can neither be pressed nor heard.
  return dialog ? createPortal(region, dialog) : region
}

const openDialog = () => document.querySelector('dialog:modal')
const noDialog = () => null
/** Neither event bubbles. */
function followDialogs(listener: () => void) {
  const events = ['toggle', 'close']
  for (const name of events) document.addEventListener(name, listener, true)
  return () => events.forEach((name) => document.removeEventListener(name, listener, true))
}

function ToastView({ toast }: { toast: Toast }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const hold = () => clearTimeout(timer.current)
  const release = () => {
    hold()
    timer.current = setTimeout(() => closeToast(toast.key), TOAST_DURATION)
  }
  useEffect(() => {
    timer.current = setTimeout(() => closeToast(toast.key), TOAST_DURATION)
    return () => clearTimeout(timer.current)
  }, [toast.key])
  return (
    <button
      type="button"
      className={`centered-text strong flush round ${css.toast}`}
      onClick={() => closeToast(toast.key)}
      // Only a pointer that comes to it holds it: one that rested there when the toast opened does not.
      onPointerMove={(event) => (event.movementX !== 0 || event.movementY !== 0) && hold()}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {toast.text}
    </button>
  )
}

export function useAnswerToasts(answer: Answer | undefined): void {
  // Toasts live outside React: an answer that has arrived is handed over to them.
  useEffect(() => {
    for (const text of answer?.toasts ?? []) showToast(text)
  }, [answer])
}

/** The same where there is no script to raise them: on the page, where its form stands. */
export const ToldWithoutScript = ({ answer, className }: { answer: Answer | undefined; className?: string }) => (
  <noscript className={className}>
    {answer?.toasts?.map((text) => (
      <p role="status" key={text}>
        {text}
      </p>
    ))}
  </noscript>
)
