import { useId, useRef, useState, useSyncExternalStore } from 'react'
import { Bell } from '#ui/icons.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import {
  parseSettings,
  askForNotifications,
  subscribeToSettings,
  disableNotifications,
  playSound,
  readStoredSettings,
  saveNotificationSettings,
} from './notifications.ts'
import { notificationTexts as texts } from '../texts.ts'
import css from '../panel/message-panel.module.css'

export function NotificationSettings() {
  const id = useId()
  const hasScript = useHydrated()
  const { sound, notification } = parseSettings(
    useSyncExternalStore(subscribeToSettings, readStoredSettings, () => null),
  )
  const [refusal, setRefusal] = useState('')

  function switchSound(isOn: boolean) {
    saveNotificationSettings({ sound: isOn })
    // After this click, the browser allows the page to play sounds.
    if (isOn) void playSound().catch(() => undefined)
  }
  async function switchNotification(isOn: boolean) {
    setRefusal('')
    if (!isOn) {
      saveNotificationSettings({ notification: false })
      return disableNotifications().catch(() => undefined)
    }
    const permission = await askForNotifications().catch(() => 'unsupported' as const)
    saveNotificationSettings({ notification: permission === 'granted' })
    if (permission !== 'granted') setRefusal(texts[permission])
  }

  return (
    <div>
      <label className="check">
        <input
          type="checkbox"
          checked={sound}
          disabled={!hasScript}
          onChange={(event) => switchSound(event.target.checked)}
        />
        {texts.sound}
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={notification}
          disabled={!hasScript}
          aria-describedby={`${id}-refusal`}
          onChange={(event) => void switchNotification(event.target.checked)}
        />
        {texts.notification}
      </label>
      <p
        className="error"
        id={`${id}-refusal`}
        role="status"
      >
        {refusal}
      </p>
    </div>
  )
}

export function NotificationsButton() {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  function place() {
    const { bottom, right } = button.current!.getBoundingClientRect()
    popover.current!.style.setProperty('--top', `${bottom + 4}px`)
    popover.current!.style.setProperty(
      '--right',
      `${document.documentElement.clientWidth - right}px`,
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes the popover
    <div
      onKeyDown={(event) => {
        if (event.key === 'Escape' && popover.current?.matches(':popover-open')) {
          event.stopPropagation()
        }
      }}
    >
      <button
        ref={button}
        type="button"
        className="icon-button"
        popoverTarget={id}
        aria-label={texts.title}
        title={texts.title}
      >
        <Bell size={20} />
      </button>
      <div
        id={id}
        ref={popover}
        popover="auto"
        onBeforeToggle={place}
        className={`card m-0 ${css.popover}`}
        role="group"
        aria-label={texts.title}
      >
        <NotificationSettings />
        <p className={`text-soft ${css.hint}`}>{texts.hint}</p>
      </div>
    </div>
  )
}
