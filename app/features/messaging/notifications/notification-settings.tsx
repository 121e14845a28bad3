import { useId, useRef, useState, useSyncExternalStore } from 'react'
import { MessageCircle } from '#app/ui/icons.tsx'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import {
  parseSettings,
  askForNotifications,
  subscribeToSettings,
  disableNotifications,
  playSound,
  readStoredSettings,
  saveNotificationSettings,
} from './notifications.ts'
import { notificationTexts as texts } from '#app/features/messaging/texts.ts'
import css from '#app/features/messaging/message-panel.module.css'

/** The browser asks for the permission to show notifications only after the user has turned notifications on. [S-184] */
export function NotificationSettings() {
  const id = useId()
  const hasScript = useHydrated()
  const { sound, notification } = parseSettings(
    useSyncExternalStore(subscribeToSettings, readStoredSettings, () => null),
  )
  const [refusal, setRefusal] = useState('')

  function switchSound(isOn: boolean) {
    saveNotificationSettings({ sound: isOn })
    // Plays the sound once as an example. After this click, the browser allows the page to play sounds.
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

/** The button opens a native popover. The browser itself closes the popover when the user presses Escape or clicks outside of the popover. [S-184] */
export function NotificationsButton() {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  /** Positions the popover below its button, because not all browsers support CSS anchors. */
  function place() {
    const { bottom, right } = button.current!.getBoundingClientRect()
    popover.current!.style.setProperty('--top', `${bottom + 4}px`)
    popover.current!.style.setProperty(
      '--right',
      `${document.documentElement.clientWidth - right}px`,
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the browser closes the popover on Escape; the panel around it must stay open
    <div
      onKeyDown={(event) => {
        if (event.key === 'Escape' && popover.current?.matches(':popover-open'))
          event.stopPropagation()
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
        <MessageCircle
          size={20}
          aria-hidden
        />
      </button>
      <div
        id={id}
        ref={popover}
        popover="auto"
        onBeforeToggle={place}
        className={`card flush ${css.popover}`}
        role="group"
        aria-label={texts.title}
      >
        <NotificationSettings />
        <p className={`soft ${css.hint}`}>{texts.hint}</p>
      </div>
    </div>
  )
}
