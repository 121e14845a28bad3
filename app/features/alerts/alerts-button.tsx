/** The settings of this browser behind one button, where messages are read. */
import { useId, useRef } from 'react'
import { BellRing } from 'lucide-react'
import { AlertSettings } from './alert-settings.tsx'
import css from './alerts-button.module.css'

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
        className={`card ${css.popover}`}
        role="group"
        aria-label="Sound and notifications"
      >
        <AlertSettings />
        <p className={css.hint}>For this device, while the shop is open in a tab.</p>
      </div>
    </div>
  )
}
