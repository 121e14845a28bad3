/** Shows a banner when the connection is lost or restored, and a progress line while a page loads slowly. [S-253] */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useBlocker, useNavigate, useNavigation, useRevalidator, type Location } from 'react-router'
import { connectivity } from '#app/client/connectivity.ts'
import { offlineTexts } from './texts.ts'
import css from './offline-banner.module.css'
import { CloudOff } from './icons.tsx'
import { showToast } from './toast-store.ts'

/** The banner appears after the shop could not be reached for this many milliseconds. A restart of the shop takes less time. */
const SHOW_AFTER_MS = 3000
const BACK_ONLINE_MS = 2500

export function OfflineBanner() {
  const isLost = useSyncExternalStore(
    connectivity.subscribe,
    connectivity.isLost,
    connectivity.isLostOnServer,
  )
  const navigation = useNavigation()
  const { revalidate } = useRevalidator()
  const [shown, setShown] = useState<'away' | 'back' | null>(null)
  const navigate = useNavigate()
  const target = useRef<Location>(null)
  const isWaiting = isLost && navigation.state === 'loading'

  // The banner appears some time after the connection was lost, or immediately when the visitor opens another page. After the reconnect, the page's data are loaded again.
  useEffect(() => {
    if (!isLost && shown === null) return
    const wait = isLost ? (isWaiting ? 0 : SHOW_AFTER_MS) : shown === 'away' ? 0 : BACK_ONLINE_MS
    const timer = setTimeout(() => {
      setShown(isLost ? 'away' : shown === 'away' ? 'back' : null)
      if (!isLost && shown === 'away') void revalidate()
    }, wait)
    return () => clearTimeout(timer)
  }, [isLost, isWaiting, shown, revalidate])
  // After the reconnect, the browser opens the page whose link the visitor clicked last while offline.
  useEffect(() => {
    if (isLost || !target.current) return
    void navigate(target.current)
    target.current = null
  }, [isLost, navigate])
  // A toast says that the chosen page will open after the reconnect.
  useEffect(() => {
    if (isWaiting) showToast(offlineTexts.later)
  }, [isWaiting, navigation.location?.key])

  return (
    <div
      className={`${css.region} no-print`}
      role="status"
      data-navigation={navigation.state}
    >
      {isLost && <NavigationBlocker onHold={(to) => (target.current = to)} />}
      {shown && (
        <p
          className={`row small flush raised ${css.bar}`}
          data-shown={shown}
        >
          {shown === 'back' ? (
            offlineTexts.back
          ) : (
            <>
              <CloudOff
                size={18}
                aria-hidden
              />
              <span>
                <strong>{navigator.onLine ? offlineTexts.away : offlineTexts.offline}</strong>{' '}
                <span className={css.calm}>{offlineTexts.calm}</span>
              </span>
            </>
          )}
        </p>
      )}
    </div>
  )
}

/** Blocks links while the browser is offline. Otherwise React Router would reload the document because the next page's code cannot be loaded, and typed text would be lost. */
function NavigationBlocker({ onHold }: { onHold: (to: Location) => void }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    onHold(blocker.location)
    blocker.reset()
    showToast(offlineTexts.later)
  }, [blocker, onHold])
  return null
}
