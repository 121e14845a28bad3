import { useEffect, useRef, useState } from 'react'
import { useBlocker, useNavigate, useNavigation, useRevalidator, type Location } from 'react-router'
import { useIsShopLost } from '#client/connectivity.ts'
import { offlineTexts } from './texts.ts'
import css from './offline-banner.module.css'
import { CloudOff } from './icons.tsx'
import { showToast } from './toasts.tsx'

const SHOW_AFTER_MS = 3000
const BACK_ONLINE_MS = 2500

export function OfflineBanner() {
  const isLost = useIsShopLost()
  const navigation = useNavigation()
  const { revalidate } = useRevalidator()
  const [banner, setBanner] = useState<'away' | 'back' | null>(null)
  const navigate = useNavigate()
  const target = useRef<Location>(null)
  const isWaiting = isLost && navigation.state === 'loading'

  useEffect(() => {
    if (!isLost && banner === null) return
    const isBack = !isLost && banner === 'away'
    const delay = isLost ? SHOW_AFTER_MS : BACK_ONLINE_MS
    const isImmediate = isBack || (isLost && isWaiting)
    const timer = setTimeout(
      () => {
        const next = isBack ? 'back' : null
        setBanner(isLost ? 'away' : next)
        if (isBack) void revalidate()
      },
      isImmediate ? 0 : delay,
    )
    return () => clearTimeout(timer)
  }, [isLost, isWaiting, banner, revalidate])
  useEffect(() => {
    if (isLost || !target.current) return
    void navigate(target.current)
    target.current = null
  }, [isLost, navigate])
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
      {banner && (
        <p
          className={`flex items-center gap-3 text-sm m-0 bg-raised ${css.bar}`}
          data-shown={banner}
        >
          {banner === 'back' ? (
            offlineTexts.back
          ) : (
            <>
              <CloudOff size={18} />
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

/**
 * Offline, React Router could not load the code of the next page. It would reload the document and
 * lose typed text.
 */
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
