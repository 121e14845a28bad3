import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { createStore } from '#client/store.ts'
import type { ActionResult } from './action-result.ts'
import css from './toasts.module.css'

const TOAST_DURATION = 2000

type Toast = { key: number; text: string }

const none: Toast[] = []
const store = createStore(none)
let nextKey = 1

export const showToast = (text: string) =>
  store.write([...store.read().filter((toast) => toast.text !== text), { key: nextKey++, text }])
const closeToast = (key: number) => store.write(store.read().filter((toast) => toast.key !== key))

export function Toasts({ first }: { first: readonly string[] }) {
  const toasts = useSyncExternalStore(store.subscribe, store.read, () => none)
  const dialog = useSyncExternalStore(followDialogs, findOpenDialog, () => null)
  const shownTexts = useRef<readonly string[]>([])
  useEffect(() => {
    if (shownTexts.current === first) return
    shownTexts.current = first
    for (const text of first) showToast(text)
  }, [first])
  const place = useRef<HTMLDivElement>(null)
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
      className={`grid gap-4 ${css.region}`}
      role="status"
      aria-live="polite"
    >
      <noscript>
        {first.map((text) => (
          <p
            className={`text-center font-semibold m-0 rounded-full ${css.toast}`}
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
  // The open dialog contains the toasts, because content outside cannot be clicked and screen
  // readers skip it.
  return dialog ? createPortal(region, dialog) : region
}

const CONTROLS = ':is(input, select, textarea):focus, [aria-invalid=true], [data-uncovered]'

function moveOffControls(region: HTMLElement) {
  const place = region.getBoundingClientRect()
  for (const control of document.querySelectorAll(CONTROLS)) {
    const { top, bottom } = control.getBoundingClientRect()
    if (top < place.bottom && bottom > place.top) region.dataset.top = ''
  }
}

const findOpenDialog = () => document.querySelector('dialog:modal')
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
      className={`text-center font-semibold m-0 rounded-full ${css.toast}`}
      onClick={() => closeToast(toast.key)}
      onPointerMove={(event) => (event.movementX || event.movementY) && hold()}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {toast.text}
    </button>
  )
}

export function useActionToasts(answer: ActionResult | undefined) {
  useEffect(() => {
    for (const text of answer?.toasts ?? []) showToast(text)
  }, [answer])
}

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
