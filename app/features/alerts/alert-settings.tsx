/** Sound and notification, for this browser alone. */
import { useId, useState, useSyncExternalStore } from 'react'
import { useHasScript } from '#app/ui/back-field.tsx'
import { followAlerts, readAlerts, readNoAlerts, saveAlerts } from './alerts.ts'
import { askForNotifications, forgetNotifications, type Permission } from './notification.ts'
import { playSound } from './sound.ts'
import css from './alert-settings.module.css'

const refusals: Record<Exclude<Permission, 'granted'>, string> = {
  denied: 'This browser does not allow the shop to show notifications. You can allow it in its settings for this site.',
  unsupported: 'This browser cannot show notifications here. On an iPhone, add the shop to the home screen first.',
}

/** S-184: the browser is asked by the press that switches notifications on, never before. */
export function AlertSettings() {
  const id = useId()
  const hasScript = useHasScript()
  const { sound, notification } = useSyncExternalStore(followAlerts, readAlerts, readNoAlerts)
  const [refusal, setRefusal] = useState('')

  function switchSound(isOn: boolean) {
    saveAlerts({ sound: isOn })
    // So that she knows what it is; it also tells the browser that somebody wants to hear this page.
    if (isOn) void playSound().catch(() => undefined)
  }
  async function switchNotification(isOn: boolean) {
    setRefusal('')
    if (!isOn) {
      saveAlerts({ notification: false })
      return forgetNotifications().catch(() => undefined)
    }
    const permission = await askForNotifications().catch(() => 'unsupported' as const)
    saveAlerts({ notification: permission === 'granted' })
    if (permission !== 'granted') setRefusal(refusals[permission])
  }

  return (
    <div className={css.alerts}>
      <label className={css.choice}>
        <input type="checkbox" checked={sound} disabled={!hasScript} onChange={(event) => switchSound(event.target.checked)} />
        Play a sound when a message comes
      </label>
      <label className={css.choice}>
        <input
          type="checkbox"
          checked={notification}
          disabled={!hasScript}
          aria-describedby={`${id}-refusal`}
          onChange={(event) => void switchNotification(event.target.checked)}
        />
        Show a notification
      </label>
      <p className="error" id={`${id}-refusal`} role="status">
        {refusal}
      </p>
    </div>
  )
}
