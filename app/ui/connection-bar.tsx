/** Says calmly that the shop cannot be reached, and that it is back; nothing at all about a pause that nobody noticed. Its line is for a slow page (S-253). */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useBlocker, useNavigate, useNavigation, useRevalidator, type Location } from 'react-router'
import { connection } from '#app/platform/connection.ts'
import { awayTexts } from './away-texts.ts'
import css from './connection-bar.module.css'
import { CloudOff } from './icons.tsx'
import { showToast } from './toast-store.ts'

/** Milliseconds: a restart of the shop is shorter. */
const UNNOTICED = 3000
const BACK_SHOWN = 2500

export function ConnectionBar() {
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost, connection.isLostOnServer)
  const navigation = useNavigation()
  const { revalidate } = useRevalidator()
  const [shown, setShown] = useState<'away' | 'back' | null>(null)
  const navigate = useNavigate()
  const wanted = useRef<Location>(null)
  const isWaiting = isLost && navigation.state === 'loading'

  // Follows the clock: told once it has lasted, or once somebody waits for it; on its return the page is read anew.
  useEffect(() => {
    if (!isLost && shown === null) return
    const wait = isLost ? (isWaiting ? 0 : UNNOTICED) : shown === 'away' ? 0 : BACK_SHOWN
    const timer = setTimeout(() => {
      setShown(isLost ? 'away' : shown === 'away' ? 'back' : null)
      if (!isLost && shown === 'away') void revalidate()
    }, wait)
    return () => clearTimeout(timer)
  }, [isLost, isWaiting, shown, revalidate])
  // The page that was chosen last opens once the shop is back.
  useEffect(() => {
    if (isLost || !wanted.current) return
    void navigate(wanted.current)
    wanted.current = null
  }, [isLost, navigate])
  // Toasts live outside React: whoever chose a page is told that it comes later.
  useEffect(() => {
    if (isWaiting) showToast(awayTexts.later)
  }, [isWaiting, navigation.location?.key])

  return (
    <div className={`${css.region} no-print`} role="status" data-going={navigation.state}>
      {isLost && <HeldNavigation onHold={(to) => (wanted.current = to)} />}
      {shown && (
        <p className={`row small flush raised ${css.bar}`} data-shown={shown}>
          {shown === 'back' ? (
            awayTexts.back
          ) : (
            <>
              <CloudOff size={18} aria-hidden />
              <span>
                <strong>{navigator.onLine ? awayTexts.away : awayTexts.offline}</strong> {awayTexts.calm}
              </span>
            </>
          )}
        </p>
      )}
    </div>
  )
}

/** Without a connection the router could not fetch another page's code, and would reload this one: it stays, with what was typed. */
function HeldNavigation({ onHold }: { onHold: (to: Location) => void }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    onHold(blocker.location)
    blocker.reset()
    showToast(awayTexts.later)
  }, [blocker, onHold])
  return null
}
