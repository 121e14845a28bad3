import { type FormEvent, useEffect, useRef, type RefObject } from 'react'
import type { ActionResult } from './action-result.ts'

type Form = HTMLFormElement | null
type Values = Readonly<Record<string, string>>

/**
 * React does not update fields that somebody has changed. So this hook writes stored values: after
 * a save into all fields, otherwise only into unchanged ones. Returns a function that is true after
 * a save whose values are not written yet. [S-470]
 */
export function useStoredValues(
  form: RefObject<Form>,
  stored: Values,
  isPending = false,
  answer?: ActionResult,
) {
  const latest = useRef({ stored, answer })
  const isJustSaved = () => answer?.ok === true && answer !== latest.current.answer
  useEffect(() => {
    if (isPending) return
    const before = latest.current
    const isSaved = isJustSaved()
    for (const [name, value] of Object.entries(stored)) {
      const previous = before.stored[name]
      if (isSaved || (value !== previous && readField(form.current, name) === previous)) {
        writeField(form.current, name, value)
      }
    }
    latest.current = { stored, answer }
  })
  return isJustSaved
}

/**
 * The fields become inert while the shop saves, so a focused field would lose the focus. [S-471]
 */
export const focusSaveButton = ({ nativeEvent }: FormEvent) =>
  (nativeEvent as SubmitEvent).submitter?.focus({ preventScroll: true })

const controlOf = (form: Form, name: string) =>
  form?.elements.namedItem(name) as HTMLInputElement | RadioNodeList | null | undefined
const isCheckbox = (control: ReturnType<typeof controlOf>): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox'

/** Returns the trimmed text, 'yes' or '' for a checkbox, or undefined without such a field. */
export function readField(form: Form, name: string) {
  const control = controlOf(form, name)
  if (!isCheckbox(control)) return control?.value.trim()
  return control.checked ? 'yes' : ''
}

function writeField(form: Form, name: string, value: string) {
  const control = controlOf(form, name)
  if (isCheckbox(control)) control.checked = value === 'yes'
  else if (control) control.value = value
}
