/** Shows stored values in the fields of a form whose fields have a `defaultValue`. When `defaultValue` changes, React does not update a select, or a field that the owner or a script has already changed. */
import { type FormEvent, useEffect, useRef, type RefObject } from 'react'
import type { ActionResult } from './action-result.ts'

type Form = HTMLFormElement | null
type Values = Readonly<Record<string, string>>

/**
 * If a value in `stored` changes, for example because the owner saved the form on another device, the field with this name shows the new value, unless she has changed the field. [S-470]
 * After a successful save, shows all values, for example the URL that the shop has stored for '@name'. `isPending` is true until
 * the page has loaded the new values, which arrive after `answer`. [S-471]
 * Returns a function, which returns true from the moment the shop has saved the form until the page has loaded the new values.
 */
export function useStoredValues(
  form: RefObject<Form>,
  stored: Values,
  isPending = false,
  answer?: ActionResult,
): () => boolean {
  const shown = useRef({ stored, answer })
  const isJustSaved = () => answer?.ok === true && answer !== shown.current.answer
  useEffect(() => {
    if (isPending) return
    const before = shown.current
    const isSaved = isJustSaved()
    for (const [name, value] of Object.entries(stored)) {
      const was = before.stored[name]
      if (isSaved || (value !== was && readField(form.current, name) === was))
        writeField(form.current, name, value)
    }
    shown.current = { stored, answer }
  })
  return isJustSaved
}

/** Moves the focus to the save button when the form is sent, because the fields become inert while the shop saves, and would lose the focus. [S-471] */
export const focusSaveButton = ({ nativeEvent }: FormEvent): void =>
  (nativeEvent as SubmitEvent).submitter?.focus({ preventScroll: true })

const controlOf = (form: Form, name: string) =>
  form?.elements.namedItem(name) as
    | HTMLInputElement
    | HTMLTextAreaElement
    | HTMLSelectElement
    | RadioNodeList
    | null
    | undefined
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
