import { useState, type MouseEvent } from 'react'
import { Field } from '#ui/form-fields.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { type AccentName, accentCss } from './accents.ts'
import type { PageSettings } from './setting-declarations.server.ts'
import css from './settings-page.module.css'
import { settingsTexts as texts } from './texts.ts'

export type Choices = readonly { value: string; label: string }[]

export type SettingInput = {
  key: keyof PageSettings
  label: string
  hint?: string
  type?: 'email' | 'tel' | 'checkbox' | 'select' | 'radio'
  rows?: number
  options?: readonly (Choices[number] & { colors?: readonly string[] })[]
}

type SettingFieldProps = {
  input: Omit<SettingInput, 'key'> & { key: string }
  value: string | boolean
  choices?: Choices | undefined
  error: string | undefined
  hasFocus: boolean
  form?: string
}

export function SettingField(props: SettingFieldProps) {
  const { input, value, choices, error, hasFocus, form } = props
  const { key, label, type, hint, rows, options = [] } = input
  if (type === 'checkbox') {
    return (
      <div className="field">
        <label className="check">
          <input
            type="checkbox"
            form={form}
            name={key}
            value="yes"
            defaultChecked={Boolean(value)}
          />
          {label}
        </label>
      </div>
    )
  }
  if (type === 'radio') return <RadioButtons {...props} />
  return (
    <Field
      label={label}
      name={key}
      id={key}
      error={error}
      hint={hint}
    >
      {(tied) => {
        const control = { ...tied, form, defaultValue: String(value), autoFocus: hasFocus }
        if (rows) {
          return (
            <textarea
              rows={rows}
              {...control}
            />
          )
        }
        if (type !== 'select') {
          return (
            <input
              type={type ?? 'text'}
              {...control}
            />
          )
        }
        return (
          <>
            <select {...control}>
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
                chosen={String(value)}
              />
            )}
          </>
        )
      }}
    </Field>
  )
}

function DeviceZone({ choices, chosen }: { choices: Choices; chosen: string }) {
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

function RadioButtons({ input, value, error }: SettingFieldProps) {
  const { key, label, hint, options = [] } = input
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
        {label}
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
      {preview && <style>{accentCss(preview)}</style>}
    </div>
  )
}
