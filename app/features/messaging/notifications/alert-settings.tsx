import { useId, useRef, useState, useSyncExternalStore } from 'react'
import { BellRing } from '#app/ui/icons.tsx'
import { useHasScript } from '#app/ui/back-field.tsx'
import {
  alertsOf,
  type Permission,
  askForNotifications,
  followAlerts,
  forgetNotifications,
  playSound,
  readStored,
  saveAlerts,
} from './notifications.ts'
import css from '#app/features/messaging/message-panel.module.css'

const refusals: Record<Exclude<Permission, 'granted'>, string> = {
  denied: 'This browser does not allow the shop to show notifications. You can allow it in its settings for this site.',
  unsupported: 'This browser cannot show notifications here. On an iPhone, add the shop to the home screen first.',
}

/** S-184: the browser is asked by the press that switches notifications on, never before. */
export function AlertSettings() {
  const id = useId()
  const hasScript = useHasScript()
  const { sound, notification } = alertsOf(useSyncExternalStore(followAlerts, readStored, () => null))
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
    <div>
      <label className="check">
        <input type="checkbox" checked={sound} disabled={!hasScript} onChange={(event) => switchSound(event.target.checked)} />
        Play a sound when a message comes
      </label>
      <label className="check">
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

/** S-184; the browser's own popover brings Escape, the press beside it and the layer on top. */
export function AlertsButton() {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  /** Under its button, wherever that stands; not all browsers can tie the two in CSS yet. */
  function place() {
    const { bottom, right } = button.current!.getBoundingClientRect()
    popover.current!.style.setProperty('--top', `${bottom + 4}px`)
    popover.current!.style.setProperty('--right', `${document.documentElement.clientWidth - right}px`)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes the popover by itself; it must not close what is around it too
    <div
      onKeyDown={(event) => {
        if (event.key === 'Escape' && popover.current?.matches(':popover-open')) event.stopPropagation()
      }}
    >
      <button
        ref={button}
        type="button"
        className="icon-button"
        popoverTarget={id}
        aria-label="Sound and notifications"
        title="Sound and notifications"
      >
        <BellRing size={20} aria-hidden />
      </button>
      <div
        id={id}
        ref={popover}
        popover="auto"
        onBeforeToggle={place}
        className={`card flush ${css.popover}`}
        role="group"
        aria-label="Sound and notifications"
      >
        <AlertSettings />
        <p className={`soft ${css.hint}`}>For this device, while the shop is open in a tab.</p>
      </div>
    </div>
  )
}
