/** Returns true if a named input or text area inside `root` differs from the value that the server sent, or if a file is chosen. Passwords and codes do not count, because the browser may have filled them in. */
export const hasUnsavedInput = (root: ParentNode | null): boolean =>
  [
    ...(root?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input[name], textarea[name]',
    ) ?? []),
  ].some((field) => {
    if (field.type === 'file') return field.value !== ''
    if (field.type === 'password' || field.autocomplete === 'one-time-code') return false
    if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type))
      return field.checked !== field.defaultChecked
    return field.value.trim() !== field.defaultValue.trim()
  })
