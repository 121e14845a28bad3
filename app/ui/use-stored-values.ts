/** Shows stored values in the fields of a form whose fields have a `defaultValue`. When this changes, React changes neither a select nor a field whose value was set before. */
import { useEffect, useRef, type RefObject } from 'react'
import type { ActionResult } from './action-result.ts'

type Form = HTMLFormElement | null
type Values = Readonly<Record<string, string>>

/**
 * When another device has changed a value of `stored`, shows it in the field of this name, unless the owner has changed this field. [S-470]
 * After a successful save, shows all values, for example the URL that the shop has stored for '@name'. `isPending` is true until
 * the page has loaded the new values, which arrive after `answer`. [S-471]
 * The returned function returns true while the shop has saved the form, but the page has not loaded the new values.
 */
export function useStoredValues(form: RefObject<Form>, stored: Values, isPending = false, answer?: ActionResult): () => boolean {
  const shown = useRef({ stored, answer })
  const isJustSaved = () => answer?.ok === true && answer !== shown.current.answer
  useEffect(() => {
    if (isPending) return
    const before = shown.current
    const isSaved = isJustSaved()
    for (const [name, value] of Object.entries(stored)) {
      const was = before.stored[name]
      if (isSaved || (value !== was && readField(form.current, name) === was)) writeField(form.current, name, value)
    }
    shown.current = { stored, answer }
  })
  return isJustSaved
}

const controlOf = (form: Form, name: string) =>
  form?.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | RadioNodeList | null | undefined
const isCheckbox = (control: ReturnType<typeof controlOf>): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox'

/** Returns the trimmed value of a field, 'yes' or '' for a checkbox, and undefined if the form has no such field. */
export function readField(form: Form, name: string): string | undefined {
  const control = controlOf(form, name)
  return isCheckbox(control) ? (control.checked ? 'yes' : '') : control?.value.trim()
}

function writeField(form: Form, name: string, value: string): void {
  const control = controlOf(form, name)
  if (isCheckbox(control)) control.checked = value === 'yes'
  else if (control) control.value = value
}
