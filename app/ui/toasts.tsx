import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import type { ActionResult } from './action-result.ts'
import { closeToast, showToast, toastStore, type Toast } from './toast-store.ts'
import css from './toasts.module.css'

/** A toast disappears after this many milliseconds. [TOAST-01, TOAST-03, TOAST-04] */
const TOAST_DURATION = 2000

/** `first` contains the texts of toasts that the server sent with the page. These texts are shown even without JavaScript. */
export function Toasts({ first }: { first: readonly string[] }) {
  const toasts = useSyncExternalStore(
    toastStore.subscribe,
    toastStore.read,
    toastStore.readOnServer,
  )
  const dialog = useSyncExternalStore(followDialogs, openDialog, noDialog)
  // Each list of texts from the server is shown only once.
  const shown = useRef<readonly string[]>([])
  useEffect(() => {
    if (shown.current === first) return
    shown.current = first
    for (const text of first) showToast(text)
  }, [first])
  const place = useRef<HTMLDivElement>(null)
  // A focus change, scrolling or new data can put a control under the toast, so the position of the toast is checked again.
  useEffect(() => {
    const box = place.current!
    if (toasts.length === 0) return void delete box.dataset.top
    const check = () => moveOffControls(box)
    check()
    return listen(['focusin', 'scroll'], check)
  }, [toasts, dialog, first])
  const region = (
    <div
      ref={place}
      className={`stack ${css.region}`}
      role="status"
      aria-live="polite"
    >
      <noscript>
        {first.map((text) => (
          <p
            className={`centered-text strong flush round ${css.toast}`}
            key={text}
          >
            {text}
          </p>
        ))}
      </noscript>
      {toasts.map((toast) => (
        <ToastView
          toast={toast}
          key={toast.key}
        />
      ))}
    </div>
  )
  // While a dialog is open, toasts are rendered inside it, because content outside the dialog cannot be clicked and screen readers skip it.
  return dialog ? createPortal(region, dialog) : region
}

const CONTROLS = ':is(input, select, textarea):focus, [aria-invalid=true], [data-uncovered]'

/** Moves toasts to the top of the window if they would cover the field that has the focus, a field with an error or a control with `data-uncovered`. */
function moveOffControls(region: HTMLElement) {
  const place = region.getBoundingClientRect()
  for (const control of document.querySelectorAll(CONTROLS)) {
    const { top, bottom } = control.getBoundingClientRect()
    if (top < place.bottom && bottom > place.top) region.dataset.top = ''
  }
}

const openDialog = () => document.querySelector('dialog:modal')
const noDialog = () => null
const followDialogs = (listener: () => void) => listen(['toggle', 'close'], listener)

/** Listens in the capture phase, because some of these events do not bubble. */
function listen(events: string[], listener: () => void) {
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
    release()
    return hold
    // oxlint-disable-next-line exhaustive-deps -- runs once for each toast
  }, [toast.key])
  return (
    <button
      type="button"
      className={`centered-text strong flush round ${css.toast}`}
      onClick={() => closeToast(toast.key)}
      // Only a moving pointer keeps the toast open, because a toast may appear under a pointer that does not move.
      onPointerMove={(event) => (event.movementX || event.movementY) && hold()}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {toast.text}
    </button>
  )
}

export function useActionToasts(answer: ActionResult | undefined): void {
  useEffect(() => {
    for (const text of answer?.toasts ?? []) showToast(text)
  }, [answer])
}

/** Shows the texts of an action result next to the form if JavaScript is off. */
export const NoScriptMessages = ({
  answer,
  className,
}: {
  answer: ActionResult | undefined
  className?: string
}) => (
  <noscript className={className}>
    {answer?.toasts?.map((text) => (
      <p
        role="status"
        key={text}
      >
        {text}
      </p>
    ))}
  </noscript>
)
