import { useState, type MouseEvent, type ReactNode } from 'react'
import { Field } from '#app/ui/form-fields.tsx'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { type AccentName, accentCss } from './accents.ts'
import type { PageSettings, SettingField, SettingKey } from './setting-groups.ts'
import css from './settings-page.module.css'
import { settingsTexts as texts } from './texts.ts'

export type Choices = readonly { value: string; label: string }[]

type Props = {
  field: SettingField
  value: PageSettings[SettingKey]
  /** the options that the server sends, for a select with currencies or time zones */
  choices: Choices | undefined
  error: string | undefined
  /** true if this field is the first field with an error and therefore gets the focus on a page without JavaScript */
  hasFocus: boolean
}

export function SettingInput({
  field: { key, type = 'text', hint, rows = 5, options = [] },
  value,
  choices,
  error,
  hasFocus,
}: Props): ReactNode {
  if (type === 'checkbox')
    return (
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            name={key}
            value="yes"
            defaultChecked={Boolean(value)}
          />
          {texts.fields[key]}
        </label>
      </div>
    )
  if (type === 'radio')
    return (
      <RadioButtons
        field={{ key, options, ...(hint && { hint }) }}
        value={value}
        error={error}
      />
    )
  return (
    <Field
      label={texts.fields[key]}
      name={key}
      id={key}
      error={error}
      hint={hint}
    >
      {(tied) => {
        const props = { ...tied, defaultValue: String(value), autoFocus: hasFocus }
        if (type === 'textarea')
          return (
            <textarea
              rows={rows}
              {...props}
            />
          )
        if (type !== 'select')
          return (
            <input
              type={type}
              {...props}
            />
          )
        return (
          <>
            <select {...props}>
              {(choices ?? options).map(({ value, label }) => (
                <option
                  value={value}
                  key={value}
                >
                  {label}
                </option>
              ))}
            </select>
            {key === 'timeZone' && choices && (
              <DeviceZone
                choices={choices}
                chosen={value}
              />
            )}
          </>
        )
      }}
    </Field>
  )
}

/** A button selects the time zone of the device, which is usually the time zone of the owner. [OWN-39] */
function DeviceZone({ choices, chosen }: { choices: Choices; chosen: Props['value'] }) {
  const zone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : ''
  const choice = zone !== chosen && zone !== '' && choices.find(({ value }) => value === zone)
  if (!choice) return null
  const choose = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    const select = form?.elements.namedItem('timeZone')
    if (select instanceof HTMLSelectElement) select.value = zone
  }
  return (
    <button
      type="button"
      className={`button quiet ${css.device}`}
      onClick={choose}
    >
      {texts.deviceZone(choice.label.replace(/ \(.*/, ''))}
    </button>
  )
}

function RadioButtons({
  field: { key, hint, options = [] },
  value,
  error,
}: Pick<Props, 'field' | 'value' | 'error'>) {
  const [preview, setPreview] = useState<AccentName | null>(null)
  return (
    <div
      className="field"
      role="radiogroup"
      aria-labelledby={`${key}-label`}
      aria-describedby={error ? `${key}-error` : undefined}
    >
      <span
        className="label"
        id={`${key}-label`}
      >
        {texts.fields[key]}
      </span>
      <div className={css.options}>
        {options.map((option) => (
          <label
            className="check"
            key={option.value}
          >
            <input
              type="radio"
              name={key}
              value={option.value}
              defaultChecked={option.value === value}
              onChange={() => key === 'accent' && setPreview(option.value as AccentName)}
            />
            {option.colors?.map((color) => (
              <span
                className={css.sample}
                style={{ background: color }}
                aria-hidden="true"
                key={color}
              />
            ))}
            {option.label}
          </label>
        ))}
      </div>
      {hint && <span className="hint">{hint}</span>}
      {error && (
        <p
          className="error"
          id={`${key}-error`}
          role="alert"
        >
          {error}
        </p>
      )}
      {/* The page shows the selected accent color even before the owner saves the settings. */}
      {preview && <style>{accentCss(preview)}</style>}
    </div>
  )
}
