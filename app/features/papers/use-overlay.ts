/** The overlay as the browser's own modal dialog, open while its address says so. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Opens the dialog as a modal one, and gives the focus back to `openerId` when it goes. Escape asks to `close` it. */
export function useModal(hasScript: boolean, openerId: string, close: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  // The browser's own modal state is outside React; it must end before the element leaves the page.
  useLayoutEffect(() => {
    const element = dialog.current
    if (!hasScript || !element) return
    const onCancel = (event: Event) => {
      event.preventDefault()
      latest.current()
    }
    // A browser may insist on closing: the address follows.
    const onClose = () => latest.current()
    element.addEventListener('cancel', onCancel)
    element.addEventListener('close', onClose)
    element.showModal()
    return () => {
      element.removeEventListener('cancel', onCancel)
      element.removeEventListener('close', onClose)
      element.close()
      document.getElementById(openerId)?.focus({ preventScroll: true })
    }
  }, [hasScript, openerId])
  return dialog
}

/** Closing goes back to the list it was opened from, so that Back never opens it again; once, however often it is clicked. */
export function useClose(closedSearch: string) {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { fromList?: boolean } | null }
  const isClosing = useRef(false)
  return () => {
    if (isClosing.current) return
    isClosing.current = true
    if (state?.fromList) void navigate(-1)
    else void navigate(closedSearch, { replace: true, preventScrollReset: true })
  }
}
